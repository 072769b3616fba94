// Opens a 3D Tiles tileset with three.js and 3d-tiles-renderer; sets window.report when all that is in view is loaded.
import * as THREE from 'three';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { TilesRenderer } from '3d-tiles-renderer';
import { GLTFExtensionsPlugin } from '3d-tiles-renderer/plugins';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(1280, 720);
document.body.appendChild(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x8fb4dc);
const sun = new THREE.DirectionalLight(0xffffff, 2.2);
scene.add(sun, new THREE.HemisphereLight(0xcfe0f4, 0x8a8478, 1.5));
const camera = new THREE.PerspectiveCamera(55, 1280 / 720, 1, 8000);
const tiles = new TilesRenderer('/package/tiles/tileset.json');
tiles.registerPlugin(new GLTFExtensionsPlugin({ meshoptDecoder: MeshoptDecoder }));
tiles.errorTarget = 24;
// every tile has its pictures decoded for itself: the default of 0.4 GB would leave out half of a city
tiles.lruCache.minBytesSize = 3e9;
tiles.lruCache.maxBytesSize = 4e9;
tiles.setCamera(camera);
tiles.setResolution(camera, 1280, 720);
scene.add(tiles.group);

const [west, south, east, north] = (await (await fetch('/package/city.json')).json()).bounds_m;
const reach = Math.hypot(east - west, north - south) / 2; // what lies beyond the city's edge is scenery

const failures = [];
tiles.addEventListener('load-error', (event) => failures.push(String(event.error ?? event.url)));
const sphere = new THREE.Sphere();
let placed = false;
let calm = 0;

function place() {
  if (!tiles.getBoundingSphere(sphere)) return;
  const up = sphere.center.clone().normalize();
  const east = new THREE.Vector3(0, 0, 1).cross(up).normalize();
  const north = up.clone().cross(east);
  const far = reach * Number(new URLSearchParams(location.search).get('far') ?? 0.8);
  camera.position.copy(sphere.center).addScaledVector(up, far * 0.7).addScaledVector(north, -far).addScaledVector(east, far * 0.3);
  camera.up.copy(up);
  camera.lookAt(sphere.center);
  camera.updateMatrixWorld();
  sun.position.copy(sphere.center).addScaledVector(up, 1000).addScaledVector(east, 600).addScaledVector(north, -400);
  sun.target.position.copy(sphere.center);
  scene.add(sun.target);
  placed = true;
}

function frame() {
  if (!placed) place();
  tiles.update();
  renderer.render(scene, camera);
  const { queued, downloading, parsing } = tiles.stats;
  calm = placed && tiles.visibleTiles.size > 0 && queued + downloading + parsing === 0 ? calm + 1 : 0;
  if (calm > 30 && !window.report) {
    let features = 0;
    tiles.group.traverse((thing) => {
      if (thing.geometry?.attributes?._feature_id_0 || thing.geometry?.attributes?._FEATURE_ID_0) features += 1;
    });
    window.report = { visible: tiles.visibleTiles.size, triangles: renderer.info.render.triangles, failures, features };
  }
  requestAnimationFrame(frame);
}
frame();
