import { randomBytes } from 'node:crypto';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { fileParts, form } from '../support/http/multipart.js';
import { zipOf } from '../support/live-updates/archives.js';
import {
  announce,
  beginUpload,
  completeUpload,
  download,
  postFile,
  publish,
  putPart,
} from '../support/live-updates/uploads.js';
import { runProgram } from '../support/processes/programs.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

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
  expect(JSON.parse((failed.body as Buffer).toString())).toMatchObject({ code: 'file_damaged' });
  expect(failed.headers).toMatchObject({
    'content-type': expect.stringContaining('application/json') as string,
    'cache-control': 'no-store',
  });
  expect(failed.headers['x-checksum']).toBe('0'.repeat(64));
  for (const header of ['etag', 'content-disposition']) {
    expect(failed.headers).not.toHaveProperty(header);
  }
  await rename(`${site.pathOf(blob!.id)}-away`, site.pathOf(blob!.id));
  expect(await runProgram('storage scrub', site)).toMatchObject({ code: 0 });
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
  const logged = () => site.server.log.filter((line) => line.includes('"event":"storage_unavailable"'));
  // The line may arrive behind the response.
  await eventually(() => expect(logged()).toHaveLength(1));
  expect(failed.text).not.toContain(site.dataDir);
  await rm(incoming);
  expect((await upload()).status).toBe(201);
  await site.expectTidy();
  expect((await publish(bundle)).status).toBe(200);
});

it('keeps a part whose upload has succeeded when the part that it replaces cannot be deleted', async () => {
  const content = randomBytes(50_000);
  const file = await announce(bundle, content, {});
  const uploadId = await beginUpload(bundle.api, file);
  expect((await putPart(bundle.api, file, uploadId, 1, randomBytes(50_000))).status).toBe(200);
  const idOfPart = async (): Promise<string> => {
    const [part] = await site.query<{ id: string }>('SELECT id FROM upload_parts WHERE upload_id = $1', [
      uploadId,
    ]);
    return part!.id;
  };
  const replaced = await idOfPart();
  const folder = dirname(site.pathOf(replaced));
  await rename(folder, `${folder}-away`);
  await symlink(folder, folder);
  // The part may belong in the same folder; then it cannot be stored.
  let status = 503;
  for (let attempt = 0; attempt < 20 && status === 503; attempt++)
    ({ status } = await putPart(bundle.api, file, uploadId, 1, content));
  expect(status).toBe(200);
  expect(await idOfPart()).not.toBe(replaced);
  await rm(folder);
  await rename(`${folder}-away`, folder);
  const parts = [{ partNumber: 1, etag: sha256(content) }];
  expect((await completeUpload(bundle.api, file, uploadId, parts)).status).toBe(200);
});
