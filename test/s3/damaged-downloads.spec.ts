import { randomBytes } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { createApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { prefixOf } from '../setup/object-storage.js';
import { rawGet, type RawResponse } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { largeText } from '../support/live-updates/large-texts.js';
import { postFile, publish, uploadFiles } from '../support/live-updates/uploads.js';
import { directClient } from '../support/s3/direct-client.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

const client = directClient();

let site: OwnSite;
let bundle: TestBundle;
let content: Buffer;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  const app = await createApp(await createTenant(site));
  bundle = await createBundle(app);
  content = randomBytes(500_000);
});
afterAll(async () => {
  await site.dispose();
  client.destroy();
});

const nameOf = (id: string) => ({
  Bucket: process.env['S3_BUCKET'],
  Key: `${prefixOf(site.dataDir)}/blobs/${id.slice(-2)}/${id}`,
});
const replace = (id: string, Body: Buffer) => client.send(new PutObjectCommand({ ...nameOf(id), Body }));

async function idOf(bytes: Buffer): Promise<string> {
  const [blob] = await site.query<{ id: string }>('SELECT id FROM blobs WHERE sha256 = $1', [sha256(bytes)]);
  return blob!.id;
}

/** Other bytes of the same length. */
function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 1]! ^= 1;
  return copy;
}

const get = (href: string, encoding = 'identity'): Promise<RawResponse> =>
  rawGet(site.origin, `${bundle.path}/download?href=${href}`, { 'Accept-Encoding': encoding });
const damageOf = async (bytes: Buffer): Promise<unknown> => {
  const [blob] = await site.query('SELECT damage FROM blobs WHERE sha256 = $1', [sha256(bytes)]);
  return blob?.['damage'];
};

it.each<[string, string, (id: string) => Promise<unknown>]>([
  ['gone', 'missing', (id) => client.send(new DeleteObjectCommand(nameOf(id)))],
  ['shorter', 'size', (id) => replace(id, content.subarray(1))],
  ['changed', 'checksum', (id) => replace(id, changed(content))],
])('never sends an object that is %s as a whole, and marks it', async (_case, damage, spoil) => {
  await uploadFiles(bundle, { 'index.html': '<html>', 'a.bin': content });
  expect((await publish(bundle)).status).toBe(200);
  await spoil(await idOf(content));
  const [asked] = await Promise.allSettled([get('a.bin')]);
  if (asked.status === 'fulfilled') {
    expect(asked.value.status).toBe(500);
    expect(asked.value.body.toString()).toContain('"file_damaged"');
  } else expect(damage).toBe('checksum');
  await eventually(async () => expect(await damageOf(content)).toBe(damage));
  expect((await get('a.bin')).status).toBe(500);
});

it('never sends an object as a whole that has changed since its last download', async () => {
  await uploadFiles(bundle, { 'index.html': '<html>', 'a.bin': content });
  expect((await publish(bundle)).status).toBe(200);
  expect((await get('a.bin')).status).toBe(200);
  await replace(await idOf(content), changed(content));
  const [asked] = await Promise.allSettled([get('a.bin')]);
  if (asked.status === 'fulfilled') expect(asked.value.status).toBe(500);
  await eventually(async () => expect(await damageOf(content)).toBe('checksum'));
});

it('repairs an object that has changed when its bytes are uploaded again', async () => {
  await uploadFiles(bundle, { 'index.html': '<html>', 'a.bin': content });
  expect((await publish(bundle)).status).toBe(200);
  await replace(await idOf(content), changed(content));
  const again = await createBundle({ api: bundle.api, id: bundle.appId, path: `/v1/apps/${bundle.appId}` });
  expect((await postFile(again, content, { href: 'a.bin' })).status).toBe(201);
  expect(sha256((await get('a.bin')).body)).toBe(sha256(content));
});

it('marks a large object that has changed soon after its first download', async () => {
  const large = randomBytes(9_000_000);
  await uploadFiles(bundle, { 'index.html': '<html>', 'large.bin': large });
  expect((await publish(bundle)).status).toBe(200);
  await replace(await idOf(large), changed(large));
  expect((await get('large.bin')).status).toBe(200);
  await eventually(async () => expect(await damageOf(large)).toBe('checksum'));
  expect((await get('large.bin')).status).toBe(500);
});

it('sends the file itself when its object in a content coding has changed', async () => {
  const text = largeText(20_000);
  await uploadFiles(bundle, { 'index.html': '<html>', 'app.js': text });
  expect((await publish(bundle)).status).toBe(200);
  const variant = async () => {
    const [row] = await site.query<{ id: string; state: string }>(
      `SELECT object_id AS id, state FROM blob_variants JOIN blobs ON blobs.id = blob_id
        WHERE blobs.sha256 = $1 AND encoding = 'br'`,
      [sha256(text)],
    );
    expect(row?.state).toBe('ready');
    return row!.id;
  };
  const id = await eventually(variant);
  await replace(id, changed(await site.read(id)));
  const response = await get('app.js', 'br');
  expect(response.headers).not.toHaveProperty('content-encoding');
  expect(response.body.toString()).toBe(text);
});
