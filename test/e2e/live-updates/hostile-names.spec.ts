import { writeFile } from 'node:fs/promises';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { checkForUpdate } from '../../builders/device.js';
import { createTenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { expectInstallable } from '../../support/devices/expect-installable.js';
import { expectError } from '../../support/http/expect-error.js';
import { type Files, unzip, withoutUtf8Flags, zipOf } from '../../support/live-updates/archives.js';
import {
  announce,
  beginUpload,
  completeUpload,
  download,
  MANIFEST,
  manifestOf,
  postFile,
  publish,
  putPart,
  SIGNATURE,
} from '../../support/live-updates/uploads.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { sha256 } from '../../support/sha256.js';

const DEVICES = 10_000;

it('devices that each report names of their own keep insights and simulations small', async () => {
  const site = await OwnSite.start();
  try {
    const app = await createApp(await createTenant(site));
    await site.query(`UPDATE apps SET created_at = now() - interval '3 days'`);
    await site.query(
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            requested_channel_names, last_seen_at, created_at)
       SELECT $1, rpad('d' || n, 255, 'x'), 0, rpad('c' || n, 255, 'x'), rpad('v' || n, 255, 'x'), '1',
              rpad('p' || n, 255, 'x'), ARRAY[rpad('n' || n, 255, 'x')], now() - interval '1 day', now() - interval '2 days'
         FROM generate_series(1, $2) AS n`,
      [app.id, DEVICES],
    );
    await site.query(`INSERT INTO queue.job (name, data) VALUES ('insights', '{}')`);
    await eventually(async () => {
      const rows = await site.query(`SELECT 1 FROM device_counts WHERE app_id = $1 AND dimension = 'all'`, [
        app.id,
      ]);
      expect(rows.length).toBeGreaterThan(0);
    });
    const [{ most } = { most: 0 }] = await site.query<{ most: number }>(
      `SELECT max(count)::int AS most FROM (
         SELECT count(*) AS count FROM device_counts WHERE app_id = $1 GROUP BY day, dimension) AS counts`,
      [app.id],
    );
    expect(most).toBeLessThanOrEqual(101);
    const { body } = await app.api.post(`${app.path}/simulations`, {
      change: 'pause',
      appChannelId: app.defaultChannelId,
    });
    const { breakdown } = body as {
      breakdown: {
        nativeVersions: unknown[];
        otherNativeVersions: number;
        pluginVersions: unknown[];
        otherPluginVersions: number;
      };
    };
    expect(breakdown.nativeVersions).toHaveLength(100);
    expect(breakdown.pluginVersions).toHaveLength(100);
    expect(breakdown).toMatchObject({
      otherNativeVersions: DEVICES - 100,
      otherPluginVersions: DEVICES - 100,
    });
  } finally {
    await site.dispose();
  }
});

describe('a zip whose names are in UTF-8, which it does not say', () => {
  const FILES: Files = { 'index.html': '<script src="café.js">', 'café.js': 'start()', '日本/ä.txt': '' };
  let site: OwnSite;
  let app: TestApp;
  /** With and without the flags. */
  let right: Buffer;
  let original: Buffer;

  beforeAll(async () => {
    site = await OwnSite.start();
    const files = { ...FILES, [MANIFEST]: manifestOf(FILES) };
    right = await zipOf(files);
    original = withoutUtf8Flags(right);
    expect(original.equals(right)).toBe(false);
  });
  beforeEach(async () => {
    app = await createApp(await createTenant(site));
  });
  afterAll(() => site.dispose());

  const uploaded = async (bytes: Buffer, signature?: string): Promise<TestBundle> => {
    const bundle = await createBundle(app, { artifactType: 'zip' });
    expect((await postFile(bundle, bytes, { signature })).status).toBe(201);
    return bundle;
  };
  const published = async (bundle: TestBundle) => {
    const { status, body } = await publish(bundle);
    expect(status).toBe(200);
    return (body as { warnings: { code: string; message: string }[] }).warnings;
  };
  const blobOf = async (bundle: TestBundle) => {
    const [file] = await site.query<{ id: string; sha256: string; sizeInBytes: number }>(
      `SELECT blob.id, file.checksum AS sha256, file.size_in_bytes::int AS "sizeInBytes"
         FROM bundle_files AS file JOIN blobs AS blob
           ON blob.id = file.blob_id AND blob.sha256 = file.checksum AND blob.size_in_bytes = file.size_in_bytes
         JOIN build_artifacts AS artifact ON artifact.id = file.bundle_id AND artifact.blob_id = blob.id
        WHERE file.bundle_id = $1`,
      [bundle.id],
    );
    return file!;
  };
  /** Fails unless devices get the zip with the flags. */
  const expectFlagged = async (bundle: TestBundle) => {
    const { body, headers } = await download(bundle, null);
    expect((body as Buffer).equals(right)).toBe(true);
    expect(headers).toMatchObject({
      'x-checksum': sha256(right),
      'content-length': String(right.length),
    });
    expect(await blobOf(bundle)).toMatchObject({ sha256: sha256(right), sizeInBytes: right.length });
    expect([...unzip(body as Buffer).keys()]).toEqual([...Object.keys(FILES), MANIFEST]);
  };

  it('is published with the flags, and with their checksum', async () => {
    const bundle = await uploaded(original);
    expect(await published(bundle)).toEqual([]);
    await expectFlagged(bundle);
    const { body } = await checkForUpdate(app, {});
    expect(body).toMatchObject({ bundleId: bundle.id, checksum: sha256(right) });
    await expectInstallable(app.api.origin, app.id, bundle.id, 'zip');
    // Nothing changes when the request is repeated.
    expect(await published(bundle)).toEqual([]);
    await expectFlagged(bundle);
  });

  it('is published with them after an upload in parts', async () => {
    const bundle = await createBundle(app, { artifactType: 'zip' });
    const path = await announce(bundle, original, {});
    const uploadId = await beginUpload(app.api, path);
    const { body } = await putPart(app.api, path, uploadId, 1, original);
    const part = body as { etag: string; partNumber: number };
    expect((await completeUpload(app.api, path, uploadId, [part])).status).toBe(200);
    expect(await published(bundle)).toEqual([]);
    await expectFlagged(bundle);
  });

  it('becomes the same bytes each time, which repairs them', async () => {
    const first = await uploaded(original);
    await published(first);
    const { id } = await blobOf(first);
    await writeFile(site.pathOf(id), 'X'.repeat(right.length));
    const second = await uploaded(original);
    await published(second);
    expect((await blobOf(second)).id).toBe(id);
    await expectFlagged(first);
    await expectFlagged(second);
  });

  it('can be published by several requests at once', async () => {
    const bundle = await uploaded(original);
    await Promise.all(Array.from({ length: 4 }, () => published(bundle)));
    await expectFlagged(bundle);
  });

  it('stays as it is if it is signed, with a warning', async () => {
    const bundle = await uploaded(original, SIGNATURE);
    expect(await published(bundle)).toEqual([
      {
        code: 'missing_utf8_flag',
        message:
          'The name of "café.js" (and 1 more) is in UTF-8, but has no UTF-8 flag: some devices save the file under another name. The zip is signed, so Slipway leaves it unchanged: pack again with a program that sets the UTF-8 flag, such as 7-Zip, and sign the new zip.',
      },
    ]);
    const { body, headers } = await download(bundle, null);
    expect((body as Buffer).equals(original)).toBe(true);
    expect(headers).toMatchObject({ 'x-checksum': sha256(original), 'x-signature': SIGNATURE });
  });

  it('stays as it is if it has the flags', async () => {
    const bundle = await uploaded(right);
    const { id } = await site
      .query<{ id: string }>('SELECT blob_id AS id FROM bundle_files WHERE bundle_id = $1', [bundle.id])
      .then(([file]) => file!);
    expect(await published(bundle)).toEqual([]);
    expect((await blobOf(bundle)).id).toBe(id);
  });

  it('is not stored twice when it is refused', async () => {
    const { id } = await uploaded(withoutUtf8Flags(await zipOf({ 'café.js': '' })));
    const response = await app.api.patch(`${app.path}/bundles/${id}`, { artifactStatus: 'ready' });
    expectError(response, 400, 'invalid_zip');
    const blobs = await site.query('SELECT 1 FROM blobs WHERE organization_id = $1', [
      app.tenant.organizationId,
    ]);
    expect(blobs).toHaveLength(1);
  });
});
