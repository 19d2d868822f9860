import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { fileParts, form } from '../support/http/multipart.js';
import { zipOf } from '../support/live-updates/archives.js';
import { download, postFile, publish } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;
let bundle: TestBundle;

beforeAll(async () => {
  site = await OwnSite.start();
});
afterAll(() => site.dispose());
beforeEach(async () => {
  bundle = await createBundle(await createApp(await createTenant(site)), { artifactType: 'zip' });
});

it('does not describe an error as if it were the file that is missing', async () => {
  await postFile(bundle, await zipOf({ 'index.html': '<html>' }), {});
  await publish(bundle);
  const [blob] = await site.query<{ id: string }>('SELECT id FROM blobs');
  await rename(site.pathOf(blob!.id), `${site.pathOf(blob!.id)}-away`);
  const failed = await download(bundle, null);
  expect(failed.status).toBe(500);
  expect(failed.headers).toMatchObject({
    'content-type': expect.stringContaining('application/json') as string,
    'cache-control': 'no-store',
  });
  expect(failed.headers['x-checksum']).toBe('0'.repeat(64));
  for (const header of ['etag', 'content-disposition']) {
    expect(failed.headers).not.toHaveProperty(header);
  }
  await rename(`${site.pathOf(blob!.id)}-away`, site.pathOf(blob!.id));
  expect((await download(bundle, null)).status).toBe(200);
});

it('stores nothing while the storage cannot be written, and goes on when it can', async () => {
  const incoming = join(site.dataDir, 'storage/incoming');
  const { contentType, body } = form(fileParts(await zipOf({ 'index.html': 'other' }), {}));
  const upload = () =>
    bundle.api.request('post', `${bundle.path}/files`).set('Content-Type', contentType).send(body);
  await rm(incoming, { recursive: true });
  await writeFile(incoming, 'in the way');
  const failed = await upload();
  expect(failed.status).toBe(503);
  expect(failed.body).toMatchObject({ code: 'storage_unavailable' });
  expect(failed.headers['retry-after']).toBe('5');
  expect(site.server.log.filter((line) => line.includes('"event":"storage_unavailable"'))).toHaveLength(1);
  expect(failed.text).not.toContain(site.dataDir);
  await rm(incoming);
  expect((await upload()).status).toBe(201);
  await site.expectTidy();
  expect((await publish(bundle)).status).toBe(200);
});
