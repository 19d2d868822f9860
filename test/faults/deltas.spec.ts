import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { assemble, getDelta } from '../support/live-updates/deltas.js';
import { expectCleanable, expectIntegrity } from '../support/live-updates/integrity.js';
import { largeText } from '../support/live-updates/large-texts.js';
import { publish, uploadFiles } from '../support/live-updates/uploads.js';
import { OwnSite } from '../support/servers/own-site.js';

const files = { 'index.html': '1', 'shared.js': largeText(5000) };

let site: OwnSite;
let app: TestApp;
let from: TestBundle;
let to: TestBundle;
let next: Record<string, string>;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
  // Putting it into an archive takes a while, and no process compresses it in the background.
  next = { ...files, 'video.mp4': randomBytes(1_000_000).toString('hex') };
  [from, to] = [await createBundle(app), await createBundle(app)];
  await uploadFiles(from, files);
  await uploadFiles(to, next);
  for (const bundle of [from, to]) expect((await publish(bundle)).status).toBe(200);
});
afterAll(() => site.dispose());

const ask = (origin = site.origin) => getDelta(origin, app.path, to.id, `from=${from.id}`);
const deltas = () => site.query('SELECT blob_id IS NULL AS unfinished FROM bundle_deltas');

it('is made by one of several processes, and the other waits for it', async () => {
  const other = await OwnSite.beside(site);
  try {
    const origins = [site.origin, other.origin];
    const answers = await Promise.all([...origins, ...origins, ...origins].map((origin) => ask(origin)));
    for (const { status, headers, body } of answers) {
      expect([status, headers['x-checksum']]).toEqual([200, answers[0]!.headers['x-checksum']]);
      expect(assemble(body, Object.values(files))).toEqual(new Map(Object.entries(next)));
    }
    expect(await deltas()).toEqual([{ unfinished: false }]);
  } finally {
    await other.stop();
  }
});

it('is made again when the process that was making it was killed', async () => {
  const cut = ask().catch(() => undefined);
  await eventually(async () => expect(await deltas()).toHaveLength(1));
  await site.kill();
  await cut;
  await site.query('UPDATE bundle_deltas SET claimed_until = now() WHERE blob_id IS NULL');
  await site.restart();
  const { status, body } = await ask();
  expect(status).toBe(200);
  expect(assemble(body, Object.values(files))).toEqual(new Map(Object.entries(next)));
  await expectIntegrity(site);
  await eventually(async () =>
    expect(
      await site.query("SELECT 1 FROM blob_variants WHERE state = 'pending' AND claimed_until IS NULL"),
    ).toEqual([]),
  );
  await expectCleanable(site);
});

it('is not made of half a file, and is made as soon as the file can be read', async () => {
  const [blob] = await site.query<{ id: string }>('SELECT id FROM blobs ORDER BY size_in_bytes DESC LIMIT 1');
  await rename(site.pathOf(blob!.id), `${site.pathOf(blob!.id)}-away`);
  const failed = await ask();
  expect([failed.status, JSON.parse(failed.body.toString())]).toEqual([
    500,
    expect.objectContaining({ code: 'file_damaged' }),
  ]);
  for (const header of ['x-checksum', 'etag', 'content-disposition']) {
    expect(failed.headers).not.toHaveProperty(header);
  }
  expect(await deltas()).toEqual([]);
  await rename(`${site.pathOf(blob!.id)}-away`, site.pathOf(blob!.id));
  expect((await ask()).status).toBe(200);
});

it('is kept for the twenty bundles that were asked for last', async () => {
  await ask();
  for (let i = 0; i < 20; i++) {
    const bundle = await createBundle(app);
    await uploadFiles(bundle, { ...next, 'index.html': `${i}` });
    expect((await publish(bundle)).status).toBe(200);
    expect((await getDelta(site.origin, app.path, to.id, `from=${bundle.id}`)).status).toBe(200);
  }
  expect(await deltas()).toHaveLength(20);
  expect(await site.query('SELECT 1 FROM bundle_deltas WHERE from_bundle_id = $1', [from.id])).toEqual([]);
  expect((await ask()).status).toBe(200);
  expect(await deltas()).toHaveLength(20);
});
