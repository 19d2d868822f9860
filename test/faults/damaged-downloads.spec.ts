import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { appendFile, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { publishManifest, publishZip } from '../builders/publication.js';
import { freePort } from '../setup/free-port.js';
import { rawGet, type RawResponse } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { getDelta } from '../support/live-updates/deltas.js';
import { largeText } from '../support/live-updates/large-texts.js';
import { postFile, publish, uploadFiles } from '../support/live-updates/uploads.js';
import { zipOf } from '../support/live-updates/archives.js';
import { runProgram } from '../support/processes/programs.js';
import { ScrapedMetrics } from '../support/servers/metrics.js';
import { OwnSite } from '../support/servers/own-site.js';
import { sha256 } from '../support/sha256.js';

const SMALL = 'export const answer = 42;';
const LARGE = 9_000_000;

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ SCRUB_INTERVAL_DAYS: '0' });
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

/** Publishes without any download. */
async function published(files: Readonly<Record<string, Buffer | string>>): Promise<TestBundle> {
  const bundle = await createBundle(app, { channelName: 'Default' });
  await uploadFiles(bundle, files);
  expect((await publish(bundle)).status).toBe(200);
  return bundle;
}

const get = ({ path }: TestBundle, href: string, encoding = 'identity'): Promise<RawResponse> =>
  rawGet(site.origin, `${path}/download?href=${href}`, { 'Accept-Encoding': encoding });

async function pathOf(content: Buffer | string): Promise<string> {
  const [blob] = await site.query<{ id: string }>('SELECT id FROM blobs WHERE sha256 = $1', [
    sha256(content),
  ]);
  return site.pathOf(blob!.id);
}

/** Changes the last bit of a file. */
async function rot(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length - 1]! ^= 1;
  await writeFile(path, bytes);
}

const damaged = () => site.query('SELECT sha256, damage FROM blobs WHERE damaged_at IS NOT NULL');
const offered = async (): Promise<string | undefined> => {
  const { body } = await rawGet(site.origin, `${app.path}/bundles/latest?platform=0&channelName=Default`);
  return (JSON.parse(body.toString() || '{}') as { bundleId?: string }).bundleId;
};

function expectRefused({ status, headers, body }: RawResponse): void {
  expect([status, JSON.parse(body.toString())]).toEqual([
    500,
    expect.objectContaining({ code: 'file_damaged' }),
  ]);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-checksum']).toBe('0'.repeat(64));
  expect(headers['content-length']).toBe(String(body.length));
  for (const name of ['etag', 'content-encoding', 'content-disposition'])
    expect(headers).not.toHaveProperty(name);
}

describe('a file whose stored bytes are wrong', () => {
  it.each<[string, string, (path: string) => Promise<void>]>([
    ['gone', 'missing', (path) => rm(path)],
    ['shorter', 'size', (path) => truncate(path, 5)],
    ['longer', 'size', (path) => appendFile(path, 'x')],
    ['changed', 'checksum', rot],
  ])('is not sent when it is %s, and is marked', async (_case, damage, spoil) => {
    const bundle = await published({ 'index.html': '<html>', 'app.js': SMALL });
    await eventually(async () => expect(await offered()).toBe(bundle.id));
    await spoil(await pathOf(SMALL));
    expectRefused(await get(bundle, 'app.js'));
    expect(await damaged()).toEqual([{ sha256: sha256(SMALL), damage }]);
    await eventually(async () => expect(await offered()).toBeUndefined());
    expectRefused(await get(bundle, 'app.js'));
    expect((await get(bundle, 'index.html')).status).toBe(200);
    const line = site.server.log.findLast((text) => text.includes('"event":"blob_damaged"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, sha256: sha256(SMALL), damage });
  });

  it('never ends as a whole response, however many ask at once', async () => {
    const content = randomBytes(1_000_000);
    const bundle = await published({ 'index.html': '<html>', 'video.bin': content });
    await rot(await pathOf(content));
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => get(bundle, 'video.bin')));
    for (const each of asked) {
      if (each.status === 'rejected')
        expect(String(each.reason)).toMatch(/aborted|socket hang up|ECONNRESET/);
      else expectRefused(each.value);
    }
    await eventually(async () =>
      expect(await damaged()).toEqual([{ sha256: sha256(content), damage: 'checksum' }]),
    );
    expectRefused(await get(bundle, 'video.bin'));
    site.expectAlive();
  });

  it('is not announced to HEAD either', async () => {
    const bundle = await published({ 'index.html': '<html>', 'app.js': SMALL });
    const head = () => fetch(`${site.origin}${bundle.path}/download?href=app.js`, { method: 'HEAD' });
    expect((await head()).status).toBe(200);
    await truncate(await pathOf(SMALL), 5);
    expect((await head()).status).toBe(500);
  });

  it('is compared once a day by each process, and again after its file was written', async () => {
    const bundle = await published({ 'index.html': '<html>', 'app.js': SMALL });
    const port = await freePort();
    await site.restart({ METRICS_PORT: String(port) });
    const compared = async () =>
      (await ScrapedMetrics.of(port)).value('slipway_stored_file_checks_total', { outcome: 'sound' });
    const before = (await compared()) ?? 0;
    for (let i = 0; i < 3; i++) expect((await get(bundle, 'app.js')).status).toBe(200);
    expect(await compared()).toBe(before + 1);
    const path = await pathOf(SMALL);
    await writeFile(path, SMALL);
    for (let i = 0; i < 3; i++) expect((await get(bundle, 'app.js')).status).toBe(200);
    expect(await compared()).toBe(before + 2);
    const { atime, mtime } = await stat(path);
    await rot(path);
    await utimes(path, atime, mtime);
    expectRefused(await get(bundle, 'app.js'));
    await site.restart();
  });

  it('is not sent when it was replaced since its last download, also to a client that asks for a range', async () => {
    const bundle = await published({ 'index.html': '<html>', 'app.js': SMALL });
    const { headers } = await get(bundle, 'app.js');
    const path = await pathOf(SMALL);
    await writeFile(`${path}.new`, 'X'.repeat(SMALL.length));
    await rename(`${path}.new`, path);
    const href = `${bundle.path}/download?href=app.js`;
    const same = await rawGet(site.origin, href, { 'If-None-Match': String(headers.etag) });
    expect(same.status).toBe(304);
    expectRefused(await rawGet(site.origin, href, { Range: 'bytes=0-3' }));
  });

  it('is not marked when too many are damaged, and still not sent', async () => {
    const texts = Array.from({ length: 120 }, (_, i) => [`${i}.txt`, `text ${i}`] as const);
    const bundle = await published({ 'index.html': '<html>', ...Object.fromEntries(texts) });
    await site.restart();
    for (const [, text] of texts) await rot(await pathOf(text));
    for (let i = 0; i < texts.length; i += 8)
      for (const refused of await Promise.all(texts.slice(i, i + 8).map(([href]) => get(bundle, href))))
        expectRefused(refused);
    // Eight are read at once.
    expect((await damaged()).length).toBeLessThan(108);
    expect(site.server.log.filter((line) => line.includes('damage_marking_stopped'))).toHaveLength(1);
    await site.restart();
  });
});

describe('a file that is damaged', () => {
  it('is sent and offered again within a minute after it was restored, although nothing is due', async () => {
    const texts = ['a', 'b', 'c'].map((name) => `export const ${name} = 42;`);
    const files = Object.fromEntries(texts.map((text, i) => [`${i}.js`, text]));
    const bundle = await published({ 'index.html': '<html>', ...files });
    const paths = await Promise.all(texts.map(pathOf));
    await rot(paths[0]!);
    await truncate(paths[1]!, 5);
    await rm(paths[2]!);
    for (const href of Object.keys(files)) expectRefused(await get(bundle, href));
    await eventually(async () => expect(await offered()).toBeUndefined());
    // As by a clock of the database that was ahead.
    await site.query(`UPDATE blobs SET verified_at = now() + interval '1 year', damaged_at = now() + interval '1 year'
                       WHERE damage = 'checksum'`);
    for (const [i, text] of texts.entries()) await writeFile(paths[i]!, text);
    await eventually(async () => expect(await offered()).toBe(bundle.id), 60_000);
    for (const [href, text] of Object.entries(files))
      expect((await get(bundle, href)).body.toString()).toBe(text);
    expect(await damaged()).toEqual([]);
  }, 90_000);

  it('is not marked when it is right again a moment later', async () => {
    const bundle = await published({ 'index.html': '<html>', 'app.js': SMALL });
    const path = await pathOf(SMALL);
    await rot(path);
    const asked = get(bundle, 'app.js');
    await sleep(500);
    await writeFile(path, SMALL);
    await asked;
    expect(await damaged()).toEqual([]);
    expect((await get(bundle, 'app.js')).body.toString()).toBe(SMALL);
  });
});

describe('a large zip', () => {
  const zip = async () => zipOf({ 'index.html': '<html>', 'video.bin': randomBytes(LARGE) });
  const publishLarge = async (bytes: Buffer): Promise<TestBundle> => {
    const bundle = await createBundle(app, { artifactType: 'zip', channelName: 'Default' });
    expect((await postFile(bundle, bytes, { mimeType: 'application/zip' })).status).toBe(201);
    expect((await publish(bundle)).status).toBe(200);
    return bundle;
  };
  const untilMarked = (bytes: Buffer) =>
    eventually(async () => expect(await damaged()).toEqual([{ sha256: sha256(bytes), damage: 'checksum' }]));

  it('that is changed is marked soon after its first download, although nothing is due', async () => {
    const bytes = await zip();
    const bundle = await publishLarge(bytes);
    await rot(await pathOf(bytes));
    const download = () => rawGet(site.origin, `${bundle.path}/download`);
    expect((await download()).status).toBe(200);
    await untilMarked(bytes);
    await eventually(async () => expect(await offered()).toBeUndefined());
    expectRefused(await download());
    const artifact = `/v1/apps/${app.id}/builds/${bundle.buildId}/artifacts/${bundle.id}/download`;
    expect((await app.api.get(artifact)).body).toMatchObject({ code: 'file_damaged' });
  });

  it('that is changed after its first download of the day is marked soon after the next one', async () => {
    const bytes = await zip();
    const bundle = await publishLarge(bytes);
    const download = () => rawGet(site.origin, `${bundle.path}/download`);
    expect((await download()).status).toBe(200);
    const isVerified = () =>
      site.query('SELECT verified_at > created_at AS "isVerified" FROM blobs WHERE sha256 = $1', [
        sha256(bytes),
      ]);
    await eventually(async () => expect(await isVerified()).toEqual([{ isVerified: true }]));
    await rot(await pathOf(bytes));
    expect((await download()).status).toBe(200);
    await untilMarked(bytes);
    expectRefused(await download());
  });

  it('that is changed is marked after it was uploaded again, and repaired by the next upload', async () => {
    const bytes = await zip();
    await publishLarge(bytes);
    await rot(await pathOf(bytes));
    const upload = async () => {
      const again = await createBundle(app, { artifactType: 'zip' });
      expect((await postFile(again, bytes, { mimeType: 'application/zip' })).status).toBe(201);
    };
    await upload();
    await untilMarked(bytes);
    await upload();
    expect(await damaged()).toEqual([]);
    expect(sha256(await readFile(await pathOf(bytes)))).toBe(sha256(bytes));
    await site.expectTidy();
  });

  it('that is shorter is not sent at all', async () => {
    const bytes = await zip();
    const bundle = await publishLarge(bytes);
    await truncate(await pathOf(bytes), LARGE / 2);
    expectRefused(await rawGet(site.origin, `${bundle.path}/download`));
    expect(await damaged()).toEqual([{ sha256: sha256(bytes), damage: 'size' }]);
  });
});

it('a changed file is repaired by uploading it again, before anyone has noticed', async () => {
  const bundle = await published({ 'index.html': '<html>', 'app.js': SMALL });
  await rot(await pathOf(SMALL));
  expect((await postFile(await createBundle(app), SMALL, { href: 'any.js' })).status).toBe(201);
  expect((await get(bundle, 'app.js')).body.toString()).toBe(SMALL);
  expect(await damaged()).toEqual([]);
  await site.expectTidy();
});

describe('a file in a content coding', () => {
  const text = largeText(20_000);
  let bundle: TestBundle;
  const variants = () =>
    site.query<{ encoding: string; object_id: string; sha256: string; state: string }>(
      'SELECT encoding, object_id, sha256, state FROM blob_variants ORDER BY encoding',
    );
  const untilReady = () =>
    eventually(async () => {
      const rows = await variants();
      expect(rows.map(({ state }) => state)).toEqual(['ready', 'ready']);
      return rows;
    });
  const codingOf = ({ headers, body }: RawResponse) => {
    expect(body.toString()).toBe(text);
    return headers['content-encoding'];
  };

  beforeEach(async () => {
    bundle = await published({ 'index.html': '<html>', 'app.js': text });
  });

  it('has the checksum of its bytes', async () => {
    for (const { object_id, sha256: stored } of await untilReady()) {
      expect(sha256(await site.read(object_id))).toBe(stored);
    }
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ['gone', (path) => rm(path)],
    ['shorter', (path) => truncate(path, 5)],
    ['changed', rot],
  ])('is sent in another one when it is %s, and made again', async (_case, spoil) => {
    const [br] = await untilReady();
    await spoil(site.pathOf(br!.object_id));
    expect(codingOf(await get(bundle, 'app.js', 'br, gzip'))).toBe('gzip');
    expect(codingOf(await get(bundle, 'app.js', 'br'))).toBe(undefined);
    await eventually(async () => expect(codingOf(await get(bundle, 'app.js', 'br'))).toBe('br'));
    const [again] = await untilReady();
    expect(again!.object_id).not.toBe(br!.object_id);
    expect(await damaged()).toEqual([]);
    const line = site.server.log.findLast((each) => each.includes('"event":"variant_damaged"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, encoding: 'br' });
    await site.expectTidy();
  });

  it('gets its checksum after an upgrade, when it is downloaded', async () => {
    await untilReady();
    await site.query('UPDATE blob_variants SET sha256 = NULL');
    expect(codingOf(await get(bundle, 'app.js', 'br'))).toBe('br');
    await eventually(async () => {
      for (const { sha256: stored } of await untilReady()) expect(stored).toMatch(/^[0-9a-f]{64}$/);
    });
    expect(codingOf(await get(bundle, 'app.js', 'br'))).toBe('br');
    await site.expectTidy();
  });

  it('is found by the command', async () => {
    const [br] = await untilReady();
    await rot(site.pathOf(br!.object_id));
    expect(await runProgram('storage scrub', site)).toMatchObject({ code: 0 });
    expect((await variants())[0]?.object_id).not.toBe(br!.object_id);
  });
});

describe('a delta', () => {
  const first = { 'index.html': '<html>' };
  const second = { ...first, 'app.js': SMALL };
  let ask: () => Promise<RawResponse>;

  beforeEach(async () => {
    const [from, to] = [await publishManifest(app, first), await publishManifest(app, second)];
    ask = () => getDelta(site.origin, app.path, to.id, `from=${from.id}`);
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ['gone', (path) => rm(path)],
    ['changed', rot],
  ])('is not made of a file that is %s', async (_case, spoil) => {
    await spoil(await pathOf(SMALL));
    const refused = await ask();
    expect([refused.status, JSON.parse(refused.body.toString())]).toEqual([
      500,
      expect.objectContaining({ code: 'file_damaged' }),
    ]);
    await eventually(async () => expect(await damaged()).toHaveLength(1));
  });

  it('that is damaged is made again', async () => {
    const { body } = await ask();
    await rot(await pathOf(body));
    await site.restart();
    expect((await ask()).status).toBe(500);
    const again = await ask();
    expect([again.status, sha256(again.body)]).toEqual([200, sha256(body)]);
    expect(await damaged()).toEqual([]);
    await site.expectTidy();
  });
});

it('a zip of a build is not sent when it is shorter', async () => {
  const bundle = await publishZip(app, { 'index.html': '<html>' });
  const [file] = await site.query<{ id: string }>('SELECT id FROM blobs');
  await truncate(site.pathOf(file!.id), 5);
  const artifact = `/v1/apps/${app.id}/builds/${bundle.buildId}/artifacts/${bundle.id}/download`;
  const refused = await app.api.get(artifact);
  expect([refused.status, refused.body]).toEqual([500, expect.objectContaining({ code: 'file_damaged' })]);
  expect(refused.headers).not.toHaveProperty('content-disposition');
});
