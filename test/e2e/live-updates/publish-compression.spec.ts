import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { createTenant } from '../../builders/identities.js';
import { rawGet, type RawResponse } from '../../support/devices/raw-get.js';
import { eventually } from '../../support/eventually.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { largeText, variedText } from '../../support/live-updates/large-texts.js';
import { MANIFEST, postFile, publish, uploadFiles } from '../../support/live-updates/uploads.js';
import { OwnSite } from '../../support/servers/own-site.js';

interface Variant extends Record<string, unknown> {
  readonly blobId: string;
  readonly encoding: string;
  readonly state: string;
  readonly objectId: string | null;
  readonly size: number | null;
}

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

/** Enough files for a manifest that is worth compressing. */
const filesOf = (count: number): Record<string, string> => ({
  'index.html': '<h1>Shop</h1>',
  ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`assets/${i}.js`, largeText(20_000)])),
});

async function uploaded(files: Readonly<Record<string, string>>): Promise<TestBundle> {
  const bundle = await createBundle(app);
  await uploadFiles(bundle, files);
  return bundle;
}

async function published(files: Readonly<Record<string, string>>): Promise<[TestBundle, number]> {
  const bundle = await uploaded(files);
  const { status, body } = await publish(bundle);
  expect(status).toBe(200);
  return [bundle, (body as { pendingCompressions: number }).pendingCompressions];
}

const get = (
  { path }: TestBundle,
  href: string,
  encoding: string,
  route = 'download',
): Promise<RawResponse> =>
  rawGet(site.origin, `${path}/${route}?href=${encodeURIComponent(href)}`, { 'Accept-Encoding': encoding });
const variants = (): Promise<Variant[]> =>
  site.query<Variant>(
    `SELECT blob_id AS "blobId", encoding, state, object_id AS "objectId", size_in_bytes::int AS size
       FROM blob_variants ORDER BY blob_id, encoding`,
  );
const untilBest = (): Promise<Variant[]> =>
  eventually(async () => {
    const all = await variants();
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['ready']));
    return all;
  });

describe('a publication', () => {
  it.each(['br', 'gzip'])('is followed by downloads in %s from the first one on', async (encoding) => {
    const files = filesOf(15);
    const [bundle, pending] = await published(files);
    const downloads = [
      ...['assets/0.js', 'assets/14.js', MANIFEST].map((href) => [href, 'download'] as const),
      [MANIFEST, 'download/named'] as const,
    ];
    for (const [href, route] of downloads) {
      const { status, headers, body } = await get(bundle, href, encoding, route);
      expect([href, route, status, headers['content-encoding']]).toEqual([href, route, 200, encoding]);
      expect(Number(headers['content-length'])).toBeLessThan(body.length);
      if (href !== MANIFEST) expect(body.toString()).toBe(files[href]);
    }
    expect(pending).toBe(0);
  });

  it('compresses nothing again that another bundle has, and nothing when it is repeated', async () => {
    const files = filesOf(3);
    const [first] = await published(files);
    const before = await untilBest();
    expect((await publish(first)).body).toMatchObject({ artifactStatus: 'ready', pendingCompressions: 0 });
    expect((await published(files))[1]).toBe(0);
    expect(await variants()).toEqual(before);
    await site.expectTidy();
  });

  it('shares variants with another one at the same time', async () => {
    const files = filesOf(12);
    const bundles = [await uploaded(files), await uploaded(files), await uploaded(files)];
    const responses = await Promise.all(bundles.map((bundle) => publish(bundle)));
    for (const { status, body } of responses) {
      expect([status, body]).toEqual([200, expect.objectContaining({ pendingCompressions: 0 })]);
    }
    await untilBest();
    await site.expectTidy();
  });

  it('compresses nothing of a bundle that is refused', async () => {
    const bundle = await createBundle(app);
    await uploadFiles(bundle, { 'a.js': largeText(20_000) }, '[]');
    expect((await publish(bundle)).status).toBe(400);
    expect(await variants()).toEqual([]);
  });

  it('says nothing of compression where nothing was published', async () => {
    const bundle = await createBundle(app);
    const { status, body } = await bundle.api.patch(bundle.path, { rolloutPercentage: 0.5 });
    expect([status, body]).toEqual([200, expect.objectContaining({ pendingCompressions: null })]);
  });

  it('compresses no zip', async () => {
    const zip = await createBundle(app, { artifactType: 'zip' });
    const bytes = await zipOf({ 'index.html': largeText(20_000) });
    const file = expectCreated<{ id: string }>(await postFile(zip, bytes, { mimeType: 'application/zip' }));
    const { status, body } = await publish(zip, { appBundleFileId: file.id });
    expect([status, body]).toEqual([200, expect.objectContaining({ pendingCompressions: 0 })]);
    expect(await variants()).toEqual([]);
  });
});

describe('quick variants', () => {
  it('are replaced by those of the best quality, which have an ETag of their own', async () => {
    const [bundle] = await published({ ...filesOf(10), 'big.js': variedText(400_000) });
    const before = await get(bundle, 'big.js', 'br');
    const quick = await variants();
    expect(before.headers['cache-control']).toBe('public, max-age=60');
    const best = await untilBest();
    expect(best.map(({ blobId, encoding }) => [blobId, encoding])).toEqual(
      quick.map(({ blobId, encoding }) => [blobId, encoding]),
    );
    for (const [i, { size }] of best.entries()) expect(size).toBeLessThanOrEqual(quick[i]!.size as number);
    expect(quick.some(({ state }) => state === 'quick')).toBe(true);
    const { headers, body } = await get(bundle, 'big.js', 'br');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(Number(headers['content-length'])).toBeLessThan(Number(before.headers['content-length']));
    expect(headers.etag).not.toBe(before.headers.etag);
    expect(body).toEqual(before.body);
    await site.expectTidy();
    // Devices may be downloading them.
    expect(await site.query('SELECT id FROM deleted_objects')).toHaveLength(
      quick.filter(({ objectId }) => !best.some((each) => each.objectId === objectId)).length,
    );
  });

  it('are not kept by caches for longer than a minute', async () => {
    const [bundle] = await published({ 'index.html': '1', 'app.js': largeText(20_000) });
    await untilBest();
    await site.query("UPDATE blob_variants SET state = 'quick', claimed_until = now() + interval '1 hour'");
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { headers } = await get(bundle, 'app.js', encoding);
      expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', vary: 'Accept-Encoding' });
    }
  });
});

describe('the time limit of compression', () => {
  async function restartWithLimit(seconds: string): Promise<void> {
    await site.restart({ PUBLISH_COMPRESSION_SECONDS: seconds });
    app = await createApp(await createTenant(site));
  }

  it('leaves everything to the background when it is 0', async () => {
    await restartWithLimit('0');
    const [bundle, pending] = await published({ ...filesOf(3), 'big.js': variedText(700_000) });
    expect(pending).toBe(4);
    expect((await get(bundle, 'big.js', 'br, gzip')).headers).not.toHaveProperty('content-encoding');
    await untilBest();
    expect((await get(bundle, 'big.js', 'br, gzip')).headers['content-encoding']).toBe('br');
    await site.expectTidy();
  });

  it('lets the publication go on when it is over, and the rest follows', async () => {
    await restartWithLimit('0.01');
    const big = { 'a.js': variedText(700_000), 'b.js': variedText(700_000) };
    const [bundle, pending] = await published({ ...filesOf(1), ...big });
    expect(pending).toBeGreaterThanOrEqual(1);
    expect(pending).toBeLessThanOrEqual(3);
    await untilBest();
    for (const href of Object.keys(big)) {
      expect((await get(bundle, href, 'br')).headers['content-encoding']).toBe('br');
      expect((await get(bundle, href, 'gzip')).headers['content-encoding']).toBe('gzip');
    }
    await site.expectTidy();
  });
});
