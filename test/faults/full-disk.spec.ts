import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Response } from 'supertest';
import { startServer } from '../setup/server.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, type TestBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { zipOf } from '../support/live-updates/archives.js';
import {
  announce,
  beginUpload,
  download,
  postFile,
  publish,
  putPart,
} from '../support/live-updates/uploads.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../setup/free-port.js';
import { ScrapedMetrics } from '../support/servers/metrics.js';
import { canMount, onOwnDisk, onReadOnlyDisk, runBeside } from '../support/servers/own-disk.js';
import { OwnSite } from '../support/servers/own-site.js';

const MB = 1_000_000;

let site: OwnSite;
let app: TestApp;
let bundle: TestBundle;
let metricsPort: number;

/** Runs a command in the mount namespace of the server. */
const beside = (script: string): void => runBeside(site.server.process.pid!, site.dataDir, script);

/** Leaves this much of the disk free. */
const leave = (megabytes: number): void =>
  beside(
    `rm -f "$DATA_DIR/filler"
     free=$(df --output=avail -B1 "$DATA_DIR" | tail -1)
     fallocate -l $((free - ${megabytes * MB})) "$DATA_DIR/filler"`,
  );

const upload = (megabytes: number): Promise<Response> => postFile(bundle, randomBytes(megabytes * MB), {});

const isFull = { status: 507, body: { code: 'insufficient_storage' } };
const isAway = { status: 503, body: { code: 'storage_unavailable' }, headers: { 'retry-after': '5' } };

// Where a machine forbids mounts, jest reports these tests as skipped.
(canMount ? describe : describe.skip)('a disk of its own', () => {
  // One for each test: what a test fills or takes away stays so.
  beforeEach(async () => {
    metricsPort = await freePort();
    const env = { STORAGE_RESERVE_MB: '20', METRICS_PORT: String(metricsPort) };
    site = await OwnSite.start(env, undefined, onOwnDisk('64m'));
    leave(40);
    app = await createApp(await createTenant(site));
    bundle = await createBundle(app, { artifactType: 'zip' });
  });
  afterEach(() => site.dispose());

  it('names DATA_DIR when it cannot be written at the start', async () => {
    const dataDir = await temporaryFolder();
    const start = startServer({ DATABASE_URL: site.databaseUrl, DATA_DIR: dataDir }, onReadOnlyDisk());
    await expect(start).rejects.toThrow(
      `DATA_DIR=${dataDir} cannot be written: read-only file system (EROFS).\n`,
    );
  });

  it('keeps the reserve for uploads that have begun', async () => {
    const content = randomBytes(4 * MB);
    const file = await announce(bundle, content, {});
    const uploadId = await beginUpload(app.api, file);
    bundle = await createBundle(app, { artifactType: 'zip' });

    const createOnce = (): Promise<Response> =>
      app.api
        .request('post', `${app.path}/bundles`)
        .set('Idempotency-Key', 'once')
        .send({ artifactType: 'zip' });
    const created = await createOnce();
    expect(created.status).toBe(201);

    leave(23);
    expect((await upload(1)).status).toBe(201);
    expect(await upload(4)).toMatchObject(isFull);
    expect(await app.api.post(`${file}/upload?action=mpu-create`, {})).toMatchObject(isFull);

    leave(19);
    expect(await app.api.post(`${app.path}/bundles`, { artifactType: 'zip' })).toMatchObject(isFull);
    expect(await createOnce()).toMatchObject({ status: 201, body: created.body as object });
    const registered = { artifactType: 'zip', url: 'https://cdn.example.com/bundle.zip' };
    expect((await app.api.post(`${app.path}/bundles`, registered)).status).toBe(201);
    expect((await putPart(app.api, file, uploadId, 1, content)).status).toBe(200);
  });

  it('responds with 507 and keeps nothing when the disk is full', async () => {
    const content = randomBytes(4 * MB);
    const file = await announce(bundle, content, {});
    const uploadId = await beginUpload(app.api, file);
    leave(2);
    expect(await putPart(app.api, file, uploadId, 1, content)).toMatchObject(isFull);
    const metrics = await eventually(async () => {
      const scraped = await ScrapedMetrics.of(metricsPort);
      // What was written of the part is free again. Multer passes the failure on while the file is still being removed.
      expect(scraped.value('slipway_storage_free_bytes')).toBeGreaterThan(MB);
      return scraped;
    });
    expect(metrics.value('slipway_storage_free_bytes')).toBeLessThan(3 * MB);
    expect(metrics.value('slipway_storage_size_bytes')).toBe(64 * 1024 * 1024);
    const inodes = metrics.value('slipway_storage_inodes');
    expect(metrics.value('slipway_storage_free_inodes')).toBeLessThan(inodes!);
    leave(40);
    expect((await putPart(app.api, file, uploadId, 1, content)).status).toBe(200);
  });

  it('responds with 503 to uploads while the disk is read-only, and to everything while it is away', async () => {
    expect((await postFile(bundle, await zipOf({ 'index.html': '<html>' }), {})).status).toBe(201);
    expect((await publish(bundle)).status).toBe(200);
    const published = bundle;
    bundle = await createBundle(app, { artifactType: 'zip' });
    beside('mount -o remount,ro "$DATA_DIR"');
    expect(await upload(1)).toMatchObject(isAway);
    expect((await download(published, null)).status).toBe(200);
    beside('mount -o remount,rw "$DATA_DIR"');
    expect((await upload(1)).status).toBe(201);

    beside('umount --lazy "$DATA_DIR"');
    expect(await upload(1)).toMatchObject(isAway);
    const { status, headers } = await download(published, null);
    expect({ status, headers }).toMatchObject({ status: isAway.status, headers: isAway.headers });
    expect(await readdir(site.dataDir)).toEqual([]);
    expect((await ScrapedMetrics.of(metricsPort)).value('slipway_storage_free_bytes')).toBeUndefined();
  });
});
