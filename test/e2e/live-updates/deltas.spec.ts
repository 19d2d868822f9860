import { generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { publishManifest, publishZip } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { rawGet, type RawResponse } from '../../support/devices/raw-get.js';
import { unzip } from '../../support/live-updates/archives.js';
import { assemble, getDelta } from '../../support/live-updates/deltas.js';
import { largeText } from '../../support/live-updates/large-texts.js';
import { MANIFEST, publish, uploadFiles } from '../../support/live-updates/uploads.js';
import { sha256 } from '../../support/sha256.js';

const first = {
  'index.html': '<h1>Shop</h1>',
  'assets/app.js': largeText(30_000),
  'assets/vendor.js': largeText(60_000),
  'assets/logo.svg': '<svg/>',
  'assets/gone.txt': 'gone',
};
const { 'assets/gone.txt': _gone, 'assets/logo.svg': logo, ...kept } = first;
const second = {
  ...kept,
  'assets/app.js': largeText(31_000),
  'assets/renamed.svg': logo,
  'assets/empty.txt': '',
  'Grüße/früh +1.css': 'a{}',
  'z/copy.css': 'a{}',
};
const missing = ['Grüße/früh +1.css', 'assets/app.js', 'assets/empty.txt', 'z/copy.css'];

let app: TestApp;
let from: string;
let to: string;

const get = (
  query = `from=${from}`,
  headers?: Readonly<Record<string, string>>,
  of = to,
): Promise<RawResponse> => getDelta(app.api.origin, app.path, of, query, headers);

beforeAll(async () => {
  app = await createApp();
  from = (await publishManifest(app, first)).id;
  to = (await publishManifest(app, second)).id;
});

describe('a delta', () => {
  it('holds the manifest and the files that the other bundle lacks, and nothing else', async () => {
    const { status, headers, body } = await get();
    expect(status).toBe(200);
    expect([...unzip(body).keys()]).toEqual([MANIFEST, ...missing]);
    expect(assemble(body, Object.values(first))).toEqual(new Map(Object.entries(second)));
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(body.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      etag: `"${sha256(body)}"`,
      'x-checksum': sha256(body),
    });
    expect(headers).not.toHaveProperty('x-manifest-signature');
    const manifest = await rawGet(app.api.origin, `${app.path}/bundles/${to}/download?href=${MANIFEST}`);
    expect(unzip(body).get(MANIFEST)).toEqual(manifest.body);
  });

  it('leads back as well, and from a bundle to itself', async () => {
    const back = await get(`from=${to}`, {}, from);
    expect(assemble(back.body, Object.values(second))).toEqual(new Map(Object.entries(first)));
    const same = await get(`from=${to}`);
    expect([...unzip(same.body).keys()]).toEqual([MANIFEST]);
  });

  it('is not sent again to a client that has it, nor with HEAD', async () => {
    const { headers } = await get();
    const again = await get(undefined, { 'If-None-Match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await app.api.request('head', `${app.path}/bundles/${to}/delta?from=${from}`);
    expect(head.status).toBe(200);
    for (const name of ['content-length', 'etag', 'x-checksum'])
      expect(head.headers[name]).toBe(headers[name]);
  });

  it('is a zip as it is, whatever encoding is accepted', async () => {
    const { headers } = await get(undefined, { 'Accept-Encoding': 'br, gzip' });
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it('is made once for many that ask at once, and is the same when it is made again', async () => {
    const other = await createApp();
    const old = await publishManifest(other, first);
    const next = await publishManifest(other, second);
    const ask = () => getDelta(other.api.origin, other.path, next.id, `from=${old.id}`);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(answers.map(({ status, body }) => `${status} ${sha256(body)}`)).size).toBe(1);
    const { databaseUrl } = testEnvironment();
    const rows = await query(
      databaseUrl,
      'DELETE FROM bundle_deltas WHERE to_bundle_id = $1 RETURNING blob_id',
      [next.id],
    );
    expect(rows).toHaveLength(1);
    const { body } = await ask();
    expect(sha256(body)).toBe(sha256(answers[0]!.body));
    const again = await query(databaseUrl, 'SELECT blob_id FROM bundle_deltas WHERE to_bundle_id = $1', [
      next.id,
    ]);
    expect(again).toEqual(rows);
  });

  it('reports the signature of the manifest, which holds the checksums of all files', async () => {
    const signed = await createApp();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const old = await publishManifest(signed, first, { privateKey });
    const next = await publishManifest(signed, second, { privateKey });
    const { headers, body } = await getDelta(signed.api.origin, signed.path, next.id, `from=${old.id}`);
    const signature = Buffer.from(String(headers['x-manifest-signature']), 'base64');
    expect(verify('sha256', unzip(body).get(MANIFEST)!, publicKey, signature)).toBe(true);
  });

  it('goes with its bundles', async () => {
    const own = await createApp();
    const old = await publishManifest(own, first);
    const next = await publishManifest(own, second);
    const ask = () => getDelta(own.api.origin, own.path, next.id, `from=${old.id}`);
    expect((await ask()).status).toBe(200);
    expect((await own.api.delete(`${own.path}/bundles/${old.id}`)).status).toBe(204);
    expect((await ask()).status).toBe(404);
  });
});

describe('no delta', () => {
  const expectRefusal = ({ status, headers, body }: RawResponse, expected: number, code: string): void => {
    expect([status, JSON.parse(body.toString())]).toEqual([expected, expect.objectContaining({ code })]);
    expect(headers['cache-control']).toBe('no-store');
    for (const name of ['etag', 'x-checksum']) expect(headers).not.toHaveProperty(name);
  };

  it.each(['', 'from', 'from=', 'from=unknown', `from=${randomUUID()}&from=${randomUUID()}`])(
    'is made for the query "%s"',
    async (query) => expectRefusal(await get(query), 400, 'invalid_fields'),
  );

  it('leads from or to a bundle that is unknown, of another app, or not published', async () => {
    const other = await createApp();
    const foreign = await publishManifest(other, first);
    const { body: pending } = await app.api.post(`${app.path}/bundles`, { artifactType: 'manifest' });
    for (const id of [randomUUID(), foreign.id, (pending as { id: string }).id]) {
      expectRefusal(await get(`from=${id}`), 404, 'bundle_not_found');
      expectRefusal(await get(`from=${from}`, {}, id), 404, 'bundle_not_found');
    }
    const elsewhere = await getDelta(app.api.origin, other.path, to, `from=${from}`);
    expectRefusal(elsewhere, 404, 'bundle_not_found');
  });

  it('leads from or to a zip', async () => {
    const zip = await publishZip(app, { 'index.html': '1' });
    expectRefusal(await get(`from=${zip.id}`), 400, 'not_a_manifest_bundle');
    expectRefusal(await get(`from=${from}`, {}, zip.id), 400, 'not_a_manifest_bundle');
    const registered = await app.api.post(`${app.path}/bundles`, {
      artifactType: 'zip',
      url: 'https://cdn.example.com/bundle.zip',
    });
    const { id } = registered.body as { id: string };
    expectRefusal(await get(`from=${id}`), 400, 'not_a_manifest_bundle');
  });

  it('leads from or to a bundle that was never deployed', async () => {
    const own = await createApp();
    const published = await publishManifest(own, first);
    const { status } = await own.api.post(`${own.path}/channels`, {
      name: 'reviewed',
      requiredApprovals: 1,
    });
    expect(status).toBe(201);
    const pending = await createBundle(own, { channelName: 'reviewed' });
    await uploadFiles(pending, second);
    expect((await publish(pending)).status).toBe(200);
    const ask = (fromId: string, toId: string) => getDelta(own.api.origin, own.path, toId, `from=${fromId}`);
    expectRefusal(await ask(pending.id, published.id), 404, 'bundle_not_found');
    expectRefusal(await ask(published.id, pending.id), 404, 'bundle_not_found');
    const deployed = await own.api.post(`${own.path}/deployments`, {
      appBuildId: pending.buildId,
      appChannelId: own.defaultChannelId,
    });
    expect([deployed.status, deployed.body]).toMatchObject([201, {}]);
    expect((await ask(pending.id, published.id)).status).toBe(200);
  });

  it('waits while 20 others of the app do; those are made', async () => {
    const own = await createApp();
    const bundles: string[] = [];
    for (const content of ['1', '2', '3', '4', '5'])
      bundles.push((await publishManifest(own, { 'index.html': content })).id);
    const pairs = bundles.flatMap((fromId) => bundles.map((toId) => ({ fromId, toId })));
    const ask = ({ fromId, toId }: { fromId: string; toId: string }) =>
      getDelta(own.api.origin, own.path, toId, `from=${fromId}`);
    const { databaseUrl } = testEnvironment();
    // As if another process were making them.
    await query(
      databaseUrl,
      `INSERT INTO bundle_deltas (from_bundle_id, to_bundle_id, claimed_until)
       SELECT a, b, now() + interval '1 hour' FROM unnest($1::uuid[]) AS a, unnest($1::uuid[]) AS b`,
      [bundles],
    );
    const answered: RawResponse[] = [];
    const answers = pairs.map(async (pair) => {
      const answer = await ask(pair);
      answered.push(answer);
      return answer;
    });
    try {
      await eventually(() => expect(answered).toHaveLength(5));
      for (const answer of answered) {
        expectRefusal(answer, 503, 'delta_queue_full');
        expect(answer.headers['retry-after']).toBe('5');
      }
      // Another app has a queue of its own.
      expect((await get()).status).toBe(200);
    } finally {
      await query(
        databaseUrl,
        'UPDATE bundle_deltas SET claimed_until = now() WHERE to_bundle_id = ANY($1)',
        [bundles],
      );
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(5).fill(503)]);
    expect((await Promise.all(pairs.slice(0, 10).map(ask))).map(({ status }) => status)).toEqual(
      Array<number>(10).fill(200),
    );
  });
});
