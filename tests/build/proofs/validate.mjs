// Validates glb files with Khronos' validator: node validate.mjs FILE... prints one JSON object.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createRequire } from 'node:module';

const validator = createRequire(process.cwd() + '/')('gltf-validator');
const found = {};
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    uri: file,
    maxIssues: 0, // no limit: a tile has an information for each of its pictures, and without errors all must be seen
    ignoredIssues: ['URI_GLB'],
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(resolve(dirname(file), decodeURIComponent(uri)))),
  });
  const errors = report.issues.messages.filter((m) => m.severity === 0).map((m) => `${m.code} ${m.pointer}: ${m.message}`);
  found[file] = {
    errors: report.issues.numErrors,
    warnings: report.issues.numWarnings,
    first: errors.slice(0, 5),
    extensions: report.info.extensionsUsed ?? [],
    triangles: report.info.totalTriangleCount,
  };
}
console.log(JSON.stringify(found));
