import { rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import type { ServerProcess } from '../setup/server.js';
import { rawGet } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { expectError } from '../support/http/expect-error.js';
import {
  download,
  MANIFEST,
  manifestOf,
  postFile,
  publish,
  uploadFiles,
} from '../support/live-updates/uploads.js';
import { runProgram } from '../support/processes/programs.js';
import { freePort } from '../setup/free-port.js';
import { ScrapedMetrics } from '../support/servers/metrics.js';
import { OwnSite } from '../support/servers/own-site.js';
import { largeText } from '../support/live-updates/large-texts.js';
import { sha256 } from '../support/sha256.js';

const files = { 'index.html': '<html>', 'app.js': 'app' };

let site: OwnSite;
let app: TestApp;
let bundle: TestBundle;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
  bundle = await createBundle(app);
  await uploadFiles(bundle, files);
});
afterAll(() => site.dispose());

async function pathOf(content: string): Promise<string> {
  const [blob] = await site.query<{ id: string }>('SELECT id FROM blobs WHERE sha256 = $1', [
    sha256(content),
  ]);
  return site.pathOf(blob!.id);
}

const age = (days: number): Promise<unknown> =>
  site.query(`UPDATE blobs SET verified_at = now() - $1 * interval '1 day'`, [days]);

/** Other bytes of the same length. */
const rot = async (content: string): Promise<void> =>
  writeFile(await pathOf(content), 'X'.repeat(content.length));

const listOf = () => app.api.get(`/v1/organizations/${app.tenant.organizationId}/damaged-files`);

/** Runs `slipway storage scrub`. */
async function scrub(): Promise<{ lines: string[]; code: number }> {
  const { out, code } = await runProgram('storage scrub', site);
  return { lines: out.trim().split('\n'), code };
}

describe('publishing', () => {
  it.each<[string, (path: string) => Promise<void>]>([
    ['gone', (path) => rm(path)],
    ['shorter', (path) => truncate(path, 1)],
  ])('is refused while the bytes of a file are %s, until they are uploaded again', async (_case, damage) => {
    await damage(await pathOf(files['app.js']));
    const refused = await publish(bundle);
    expectError(refused, 400, 'incomplete_bundle');
    expect(refused.body).toMatchObject({
      errors: [{ field: 'files', message: 'app.js is damaged in storage and has to be uploaded again.' }],
    });
    await postFile(bundle, files['app.js'], { href: 'app.js' });
    expect((await publish(bundle)).status).toBe(200);
    expect(((await download(bundle, 'app.js')).body as Buffer).toString()).toBe('app');
    await site.expectTidy();
  });

  it('is refused when the manifest is gone', async () => {
    await rm(await pathOf(manifestOf(files)));
    expectError(await publish(bundle), 400, 'incomplete_bundle');
    await postFile(bundle, manifestOf(files), { href: MANIFEST });
    expect((await publish(bundle)).status).toBe(200);
  });

  it.each([
    ['was not verified since a day', 2],
    ['was verified by a clock that was ahead', -2],
  ])('reads what %s, and finds that it has changed', async (_case, days) => {
    await rot(files['app.js']);
    await age(days);
    const refused = await publish(bundle);
    expectError(refused, 400, 'incomplete_bundle');
    expect((refused.body as { errors: unknown[] }).errors).toHaveLength(1);
    const stale = await site.query(
      `SELECT 1 FROM blobs WHERE verified_at NOT BETWEEN now() - interval '1 hour' AND now()`,
    );
    expect(stale).toEqual([]);
  });
});

describe('a published file that is damaged', () => {
  beforeEach(async () => {
    expect((await publish(bundle)).status).toBe(200);
  });

  it('is found in the background, reported, not sent, and repaired by uploading it again', async () => {
    expect((await listOf()).body).toEqual([]);
    await rot(files['app.js']);
    await site.query(`UPDATE blobs SET verified_at = now() - interval '31 days' WHERE sha256 = $1`, [
      sha256(files['app.js']),
    ]);
    await site.restart();
    const { tenant } = app;
    const api = tenant.owner.api;
    Object.assign(api, { origin: site.origin });
    await eventually(async () => expect((await listOf()).body).toHaveLength(1));
    const { body } = await listOf();
    expect(body).toEqual([
      {
        id: expect.any(String) as string,
        checksum: sha256('app'),
        sizeInBytes: 3,
        reason: 'checksum',
        damagedAt: expect.any(String) as string,
        totalUses: 1,
        uses: [
          {
            appId: app.id,
            appName: 'Shop',
            appBuildId: bundle.buildId,
            appBundleId: bundle.id,
            href: 'app.js',
          },
        ],
      },
    ]);
    const line = site.server.log.find((text) => text.includes('"event":"blob_damaged"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, sha256: sha256('app'), damage: 'checksum' });

    const failed = await download(bundle, 'app.js');
    expect(failed.status).toBe(500);
    expect(JSON.parse((failed.body as Buffer).toString())).toMatchObject({ code: 'file_damaged' });
    expect(failed.headers['x-checksum']).toBe('0'.repeat(64));
    expect((await download(bundle, 'index.html')).status).toBe(200);

    const again = await createBundle({ ...app, api });
    expect((await postFile(again, 'app', { href: 'any.js' })).status).toBe(201);
    expect((await listOf()).body).toEqual([]);
    expect(((await download(bundle, 'app.js')).body as Buffer).toString()).toBe('app');
    await site.expectTidy();
  });

  it('is found by the command, which reports it, and listed for its organization only', async () => {
    expect(await scrub()).toEqual({ lines: ['Verified 4 files of 467 bytes: 0 are damaged.'], code: 0 });
    await rot(files['app.js']);
    await rm(await pathOf(files['index.html']));
    const { lines, code } = await scrub();
    expect(code).toBe(1);
    const found = lines
      .slice(0, -1)
      .map((line) => /^damaged file \S+ \((\w+)\), SHA-256 (\w{64})$/.exec(line));
    expect(found.map((match) => match?.slice(1)).sort()).toEqual([
      ['checksum', sha256(files['app.js'])],
      ['missing', sha256(files['index.html'])],
    ]);
    expect(lines.at(-1)).toBe('Verified 4 files of 467 bytes: 2 are damaged.');
    expect((await listOf()).body).toHaveLength(2);
    // Other organizations do not see it.
    const other = await createApp(await createTenant(site));
    const listAs = (organizationId: string) =>
      other.api.get(`/v1/organizations/${organizationId}/damaged-files`);
    expect((await listAs(other.tenant.organizationId)).body).toEqual([]);
    expect((await listAs(app.tenant.organizationId)).status).toBe(404);

    // What comes back is noticed, too.
    await writeFile(await pathOf(files['index.html']), files['index.html']);
    expect((await scrub()).lines.at(-1)).toBe('Verified 4 files of 467 bytes: 1 are damaged.');
    expect((await listOf()).body).toMatchObject([{ reason: 'checksum' }]);
  });
});

describe('a file that is uploaded again', () => {
  it.each<[string, (path: string) => Promise<void>]>([
    ['gone', (path) => rm(path)],
    ['shorter', (path) => truncate(path, 1)],
  ])('replaces stored bytes that are %s, before that is noticed', async (_case, damage) => {
    await damage(await pathOf(files['app.js']));
    const again = await createBundle(app);
    await uploadFiles(again, files);
    expect((await publish(again)).status).toBe(200);
    expect(((await download(again, 'app.js')).body as Buffer).toString()).toBe('app');
    expect((await listOf()).body).toEqual([]);
    await site.expectTidy();
  });
});

describe('a file with compressed variants', () => {
  const objects = (not = '') =>
    site.query<{ id: string }>(
      'SELECT object_id AS id FROM blob_variants WHERE object_id IS NOT NULL AND encoding <> $1',
      [not],
    );
  const states = () => site.query('SELECT DISTINCT state FROM blob_variants');

  it.each(['br', 'gzip'])('is repaired at once from the one in %s', async (encoding) => {
    const text = largeText(20_000);
    const large = await createBundle(app);
    await uploadFiles(large, { ...files, 'large.js': text });
    expect((await publish(large)).status).toBe(200);
    await eventually(async () => expect(await states()).toEqual([{ state: 'ready' }]));
    for (const { id } of await objects(encoding)) await writeFile(site.pathOf(id), 'rot');
    await writeFile(await pathOf(text), 'rot');
    expect(await scrub()).toMatchObject({ code: 0, lines: [expect.stringMatching(/: 0 are damaged\.$/)] });
    expect((await listOf()).body).toEqual([]);
    expect((await rawGet(site.origin, `${large.path}/download?href=large.js`)).body.toString()).toBe(text);
    await site.expectTidy();
  });

  it('gets none of damaged bytes, which are found then', async () => {
    const text = largeText(20_000);
    const large = await createBundle(app);
    await uploadFiles(large, { ...files, 'large.js': text });
    await rot(text);
    expect((await publish(large)).status).toBe(200);
    await eventually(async () => expect((await listOf()).body).toMatchObject([{ reason: 'checksum' }]));
    expect(await states()).toEqual([{ state: 'pending' }]);
    await site.expectTidy();
  });

  it('stays damaged when the variants are damaged, too', async () => {
    const text = largeText(20_000);
    const large = await createBundle(app);
    await uploadFiles(large, { ...files, 'large.js': text });
    expect((await publish(large)).status).toBe(200);
    await eventually(async () => expect(await states()).toEqual([{ state: 'ready' }]));
    for (const { id } of await objects()) await writeFile(site.pathOf(id), 'rot');
    await writeFile(await pathOf(text), 'rot');
    expect((await scrub()).code).toBe(1);
    expect((await listOf()).body).toMatchObject([{ reason: 'size' }]);
    await site.expectTidy();
  });
});

describe('an update check', () => {
  let other: ServerProcess;
  let old: TestBundle;

  beforeAll(async () => {
    other = await OwnSite.beside(site);
  });
  afterAll(() => other.stop());
  beforeEach(async () => {
    old = await createBundle(app);
    await uploadFiles(old, { 'index.html': 'old' });
    expect((await publish(old)).status).toBe(200);
    expect((await publish(bundle)).status).toBe(200);
    await expectOffered(bundle, bundle, bundle);
  });

  /** What both servers offer to devices that run nothing, the old bundle and the new one. */
  const expectOffered = (...expected: TestBundle[]): Promise<void> =>
    eventually(async () => {
      for (const origin of [site.origin, other.origin]) {
        const offered = ['', `&bundleId=${old.id}`, `&bundleId=${bundle.id}`].map(async (running) => {
          const { body } = await rawGet(origin, `${app.path}/bundles/latest?platform=0${running}`);
          return (JSON.parse(body.toString()) as { bundleId?: string }).bundleId;
        });
        expect(await Promise.all(offered)).toEqual(expected.map(({ id }) => id));
      }
    });

  it('skips a damaged bundle for devices that do not run it, until its bytes are uploaded again', async () => {
    await rot(files['app.js']);
    expect((await scrub()).code).toBe(1);
    await expectOffered(old, old, bundle);
    const decision = await app.api.get(`${app.path}/decision?platform=0`);
    expect(decision.body).toMatchObject({
      goals: [{ remedies: [{ remedy: 'repair-bundle', id: bundle.id }] }],
    });

    const again = await createBundle(app);
    await postFile(again, files['app.js'], { href: 'app.js' });
    await expectOffered(bundle, bundle, bundle);
    expect(await scrub()).toMatchObject({ code: 0 });
  });

  it('goes on offering a bundle that cannot be read, which is no damage', async () => {
    const path = await pathOf(files['app.js']);
    await rm(path);
    await symlink(path, path);
    const { lines, code } = await scrub();
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/\(unreadable\)/);
    expect((await listOf()).body).toEqual([]);
    await expectOffered(bundle, bundle, bundle);
    await rm(path);
  });

  it('goes on offering bundles when too many files are damaged at once, which is no fault of single files', async () => {
    const texts = Array.from({ length: 120 }, (_, i) => [`${i}.txt`, `text ${i}`]);
    await uploadFiles(await createBundle(app), Object.fromEntries(texts) as Record<string, string>);
    // The command reads by id.
    const last = await site.query<{ id: string }>('SELECT id FROM blobs ORDER BY id DESC LIMIT 5');
    for (const { id } of last) await truncate(site.pathOf(id), 1);
    await rot(files['app.js']);
    const { lines, code } = await scrub();
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(/: 6 are damaged\.$/);
    expect(await site.query('SELECT id FROM blobs WHERE damaged_at IS NOT NULL')).toHaveLength(1);
  });
});

// Last: the server marks no more files for an hour.
describe('more damaged files than single faults explain', () => {
  it('stop the marking, with an alert and a metric', async () => {
    const texts = Array.from({ length: 120 }, (_, i) => [`${i}.txt`, `text ${i}`]);
    await uploadFiles(await createBundle(app), Object.fromEntries(texts) as Record<string, string>);
    const last = await site.query<{ id: string }>('SELECT id FROM blobs ORDER BY id DESC LIMIT 5');
    for (const { id } of last) await truncate(site.pathOf(id), 1);
    // The server reads those first that were not verified for longest.
    await age(40);
    await site.query(`UPDATE blobs SET verified_at = now() - interval '31 days' WHERE id = ANY ($1)`, [
      last.map(({ id }) => id),
    ]);
    const port = await freePort();
    await site.restart({ METRICS_PORT: String(port) });
    await eventually(async () => {
      const metrics = await ScrapedMetrics.of(port);
      const checks = (outcome: string) => metrics.value('slipway_stored_file_checks_total', { outcome });
      expect(['damaged', 'not_marked'].map(checks)).toEqual([1, 4]);
      expect(metrics.value('slipway_damaged_files')).toBe(1);
    });
    const alerts = site.server.log.filter((line) => line.includes('"event":"damage_marking_stopped"'));
    expect(alerts).toHaveLength(1);
    expect(JSON.parse(alerts[0] ?? '{}')).toMatchObject({ level: 50, damaged: 1 });
  });
});
