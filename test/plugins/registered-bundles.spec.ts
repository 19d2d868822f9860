import { generateKeyPairSync, sign } from 'node:crypto';
import type { TestApp } from '../builders/app.js';
import { publishZip } from '../builders/publication.js';
import { expectCreated } from '../support/http/expect-created.js';
import { type Files, zipOf } from '../support/live-updates/archives.js';
import { expectShown, inTurn, PluginSite } from '../support/plugins/plugin-site.js';
import { sha256 } from '../support/sha256.js';

const FIRST: Files = { 'index.html': '<h1>1</h1>' };
const FILES: Files = { 'index.html': '<h1>registered</h1>', 'app.js': 'start();' };
/** In these a missing checksum makes each zip a wrong one. */
const WITHOUT_SAFE_CHECKSUMS = ['7.2.2', '6.8.0'];

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let site: PluginSite;
let app: TestApp;
let zip: Buffer;
beforeAll(async () => {
  site = await PluginSite.start();
  zip = await zipOf(FILES);
});
beforeEach(async () => {
  app = await site.createApp();
});
afterEach(() => site.stopDevices());
afterAll(() => site.dispose());

/** Registers a zip that another server has, here another app. @returns the id of the bundle */
async function register(fields: object): Promise<string> {
  const elsewhere = await site.createApp();
  const hosted = await publishZip(elsewhere, zip, 'signature' in fields ? { privateKey } : {});
  const url = `https://slipway.test${hosted.path}/download`;
  const values = { artifactType: 'zip', url, ...fields };
  return expectCreated<{ id: string }>(await app.api.post(`${app.path}/bundles`, values)).id;
}

it('without a checksum go to the versions that can install them, and others keep what they run', async () => {
  const first = await publishZip(app, FIRST);
  const devices = await site.installAll(app);
  await inTurn(devices, (device) => device.syncAndRestart());
  const id = await register({});
  await inTurn(devices, (device) => device.syncAndRestart());
  for (const device of devices) {
    const isWithheld = WITHOUT_SAFE_CHECKSUMS.includes(device.version);
    await expectShown([device], isWithheld ? { id: first.id, files: FIRST } : { id, files: FILES });
  }
});

it('with a checksum go to all versions', async () => {
  const devices = await site.installAll(app);
  const id = await register({ checksum: sha256(zip) });
  await inTurn(devices, (device) => device.syncAndRestart());
  await expectShown(devices, { id, files: FILES });
});

it('with a signature go to all versions, also without a checksum', async () => {
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  const devices = await site.installAll(app, { config: { publicKey: pem } });
  const id = await register({ signature: sign('sha256', zip, privateKey).toString('base64') });
  await inTurn(devices, (device) => device.syncAndRestart());
  await expectShown(devices, { id, files: FILES });
});
