// Opens a page in Chromium, waits for window.report and takes a picture: node shoot.mjs CHROMIUM URL PNG
import { createRequire } from 'node:module';

const { chromium } = createRequire(process.cwd() + '/')('playwright-core');
const [program, url, png] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: program,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const errors = [];
page.on('pageerror', (error) => errors.push(String(error)));
page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
await page.goto(url);
await page.waitForFunction('window.report', null, { timeout: 540000 });
const report = await page.evaluate('window.report');
await page.screenshot({ path: png });
await browser.close();
console.log(JSON.stringify({ ...report, errors }));
