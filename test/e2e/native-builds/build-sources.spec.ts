import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { beginUpload, completeUpload, putPart } from '../../support/live-updates/uploads.js';
import { startBuild } from '../../support/native-builds/leases.js';
import { announceSource, type TestSource, uploadSource } from '../../support/native-builds/sources.js';
import { HoldingServer } from '../../support/servers/holding-server.js';
import { OwnSite } from '../../support/servers/own-site.js';

describe('uploaded build sources', () => {
  let app: TestApp;
  const project = { 'package.json': '{"name":"shop"}' };

  beforeAll(async () => {
    app = await createApp();
  });

  it('are uploaded in parts, and downloaded', async () => {
    const bytes = await zipOf(project);
    const id = await uploadSource(app, bytes);
    const path = `${app.path}/build-sources/${id}`;
    expect((await app.api.get(path)).body).toMatchObject({
      id,
      type: 'archive',
      status: 'ready',
      statusMessage: null,
      fileSizeInBytes: bytes.length,
      fileUrl: null,
    });
    const viewer = await createMember(app.tenant, 'viewer');
    const response = await viewer.api.request('get', `${path}/download`).buffer(true);
    expect(response.status).toBe(200);
    expect(Number(response.headers['content-length'])).toBe(bytes.length);
    expect(response.headers['content-disposition']).toBe('attachment; filename=source.zip');
  });

  it('are not downloaded before they are complete, nor by others', async () => {
    const path = await announceSource(app, 1000);
    expectError(await app.api.get(`${path}/download`), 404, 'build_source_not_found');
    const id = await uploadSource(app, project);
    const other = await createTenant();
    expectError(await other.owner.api.get(`${app.path}/build-sources/${id}/download`), 404, 'app_not_found');
    const foreign = await createApp();
    expectError(await foreign.api.get(`${foreign.path}/build-sources/${id}`), 404, 'build_source_not_found');
  });

  it.each([5_000_000_000, 1024 ** 3 + 1, 0, -1, 1.5, '10'])('of %s bytes are refused', async (size) => {
    expectInvalid(
      await app.api.post(`${app.path}/build-sources`, { fileSizeInBytes: size }),
      'fileSizeInBytes',
    );
  });

  it('need a size or an address, beside which the size is ignored', async () => {
    const post = (body: object) => app.api.post(`${app.path}/build-sources`, body);
    expectInvalid(await post({}), 'fileSizeInBytes');
    const fileUrl = 'https://source.invalid/a.zip';
    for (const fileSizeInBytes of [1, 0, 5_000_000_000]) {
      expect((await post({ fileSizeInBytes, fileUrl })).body).toMatchObject({
        fileUrl,
        fileSizeInBytes: null,
        status: 'pending',
      });
    }
    for (const wrong of ['a.zip', 'file:///etc/passwd', 'https://user:secret@example.com/a.zip'])
      expectInvalid(await post({ fileUrl: wrong }), 'fileUrl');
  });

  it('of another size than announced, or unsafe to unpack, are refused', async () => {
    const bytes = await zipOf(project);
    const complete = async (announced: number, content: Buffer) => {
      const path = await announceSource(app, announced);
      const uploadId = await beginUpload(app.api, path);
      const part = await putPart(app.api, path, uploadId, 1, content);
      return completeUpload(app.api, path, uploadId, [part.body]);
    };
    expectInvalid(await complete(bytes.length + 1, bytes), 'parts');
    const evil = Buffer.from(bytes.toString('latin1').replaceAll('package.json', '../../x.json'), 'latin1');
    expectError(await complete(evil.length, evil), 400, 'invalid_source');
    const noZip = Buffer.from('no zip');
    expectError(await complete(noZip.length, noZip), 400, 'invalid_source');
  });

  it('are complete once', async () => {
    const bytes = await zipOf(project);
    const path = await announceSource(app, bytes.length);
    const uploadId = await beginUpload(app.api, path);
    const part = await putPart(app.api, path, uploadId, 1, bytes);
    const parts = [part.body];
    expect((await completeUpload(app.api, path, uploadId, parts)).status).toBe(200);
    expect((await completeUpload(app.api, path, uploadId, parts)).status).toBe(200);
    expectError(await app.api.post(`${path}/upload?action=mpu-create`, {}), 409, 'conflict');
  });

  it('make several builds, and none before they are uploaded', async () => {
    const source = await uploadSource(app, project);
    const first = await startBuild(app, { appBuildSourceId: source });
    const second = await startBuild(app, { appBuildSourceId: source });
    expect(first.jobId).not.toBe(second.jobId);
    const path = await announceSource(app, 1000);
    const body = { platform: 'web', appBuildSourceId: path.slice(path.lastIndexOf('/') + 1) };
    expectInvalid(await app.api.post(`${app.path}/builds`, body), 'appBuildSourceId');
    expectError(
      await app.api.post(`${app.path}/builds`, { ...body, appBuildSourceId: uuid() }),
      404,
      'build_source_not_found',
    );
  });
});

describe('fetched build sources', () => {
  let site: OwnSite;
  let host: Server;
  let app: TestApp;
  let origin: string;
  /** Holds responses back until it is resolved. */
  let gate: PromiseWithResolvers<void>;

  beforeAll(async () => {
    site = await OwnSite.start({ OUTBOUND_ALLOW: 'source=127.0.0.1', JOB_TIMEOUT_SECONDS: '7200' });
    host = createServer((request, response) => {
      void (async () => {
        if (request.url === '/slow.zip') await gate.promise;
        if (request.url === '/missing.zip') response.writeHead(404).end();
        else if (request.url === '/page.zip') response.end('<html>');
        else response.end(await zipOf({ 'package.json': '{}' }));
      })();
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    app = await createApp(await createTenant(site));
  });

  beforeEach(() => {
    gate = Promise.withResolvers();
  });

  afterAll(async () => {
    host.closeAllConnections();
    host.close();
    await site.dispose();
  });

  const create = async (fileUrl: string): Promise<TestSource> =>
    expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, { fileUrl }));
  const buildOf = async (id: string) =>
    (await app.api.get(`${app.path}/builds/${id}?relations=job.jobLogs`)).body as {
      job: { status: string; statusMessage: string | null; jobLogs: { payload: string }[] };
    };
  const isHeld = async (jobId: string): Promise<boolean | undefined> =>
    (await site.query<{ held: boolean }>('SELECT is_held AS held FROM jobs WHERE id = $1', [jobId]))[0]?.held;

  it('are pending at once; their builds wait until they are there', async () => {
    const source = await create(`${origin}/slow.zip`);
    expect(source).toMatchObject({ status: 'pending', fileSizeInBytes: null, fileUrl: `${origin}/slow.zip` });
    const build = await startBuild(app, { appBuildSourceId: source.id });
    expect(await isHeld(build.jobId)).toBe(true);
    gate.resolve();
    await eventually(async () => {
      expect((await app.api.get(`${app.path}/build-sources/${source.id}`)).body).toMatchObject({
        status: 'ready',
      });
      expect(await isHeld(build.jobId)).toBe(false);
    });
    expect((await buildOf(build.id)).job).toMatchObject({ status: 'queued', timeoutInSeconds: 7200 });
  });

  it.each([
    ['missing.zip', /^The source could not be fetched: 127.0.0.1:\d+ answered with the status 404\.$/],
    ['page.zip', /It is not a valid source: it cannot be read as a zip/],
  ])('that cannot be had fail their builds: %s', async (path, message) => {
    const source = await create(`${origin}/${path}`);
    const response = await app.api.post(`${app.path}/builds`, {
      platform: 'web',
      appBuildSourceId: source.id,
    });
    // The source may have failed by now.
    if (response.status === 201) {
      const { id } = response.body as { id: string };
      await eventually(async () => expect((await buildOf(id)).job.status).toBe('failed'));
      const { statusMessage, jobLogs } = (await buildOf(id)).job;
      expect(statusMessage).toMatch(message);
      expect(jobLogs).toMatchObject([
        { number: 1, payload: statusMessage },
        { number: 2, payload: expect.stringMatching(/^§ /) as string },
        { number: 3, payload: expect.stringContaining(`The job failed. ${statusMessage}`) as string },
      ]);
    }
    await eventually(async () => {
      const { body } = await app.api.get(`${app.path}/build-sources/${source.id}`);
      expect((body as TestSource).statusMessage).toEqual(expect.any(String));
    });
    expectInvalid(
      await app.api.post(`${app.path}/builds`, { platform: 'web', appBuildSourceId: source.id }),
      'appBuildSourceId',
    );
  });

  it('are at most 20 of an app at a time', async () => {
    const { api, path } = await createApp(await createTenant(site));
    const fileUrl = `${origin}/slow.zip`;
    const all = await Promise.all(
      Array.from({ length: 25 }, () => api.post(`${path}/build-sources`, { fileUrl })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = all.filter(({ status }) => status !== 201);
    for (const response of refused) {
      expect(expectError(response, 409, 'build_sources_pending').message).toContain('20');
    }
    gate.resolve();
    await eventually(async () => expectCreated(await api.post(`${path}/build-sources`, { fileUrl })));
  });

  it('are four of an account at a time, however many servers there are', async () => {
    const beside = await OwnSite.beside(site);
    const slow = await HoldingServer.start();
    const pending = async (): Promise<number> => {
      const sql = `SELECT count(*)::integer AS n FROM build_sources WHERE status = 'pending' AND failure IS NULL AND app_id = $1`;
      return (await site.query<{ n: number }>(sql, [one.id]))[0]?.n ?? 0;
    };
    const one = await createApp(await createTenant(site));
    const other = await createApp(await createTenant(site));
    slow.hold(one.id);
    for (let n = 0; n < 15; n++) {
      const fileUrl = `${slow.origin.replace('localhost', '127.0.0.1')}/${one.id}-${n}.zip`;
      expectCreated(await one.api.post(`${one.path}/build-sources`, { fileUrl }));
    }
    await eventually(() => expect(slow.heldRequests).toBe(4));
    const fileUrl = `${origin}/other.zip`;
    const { id } = expectCreated<TestSource>(
      await other.api.post(`${other.path}/build-sources`, { fileUrl }),
    );
    await eventually(async () => {
      const { body } = await other.api.get(`${other.path}/build-sources/${id}`);
      expect(body).toMatchObject({ status: 'ready' });
    });
    slow.release();
    slow.hold('nothing');
    await eventually(async () => expect(await pending()).toBe(0));
    expect(slow.mostHeld).toBe(4);
    await slow.stop();
    await beside.stop();
  });

  it('belong to the organization in every attempt, and when the queue gives up', async () => {
    const one = await createApp(await createTenant(site));
    const groups = (queue: string) =>
      site.query(
        `SELECT DISTINCT group_tier AS id FROM queue.job WHERE name = $1 AND data->>'sourceId' = $2`,
        [queue, source.id],
      );
    const broken = createServer((_, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const fileUrl = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/a.zip`;
    const source = expectCreated<TestSource>(await one.api.post(`${one.path}/build-sources`, { fileUrl }));
    const group = [{ id: one.tenant.organizationId }];
    await eventually(async () => {
      const sql = `SELECT 1 FROM queue.job WHERE data->>'sourceId' = $1 AND state = 'retry'`;
      expect(await site.query(sql, [source.id])).toHaveLength(1);
    });
    expect(await groups('build-sources')).toEqual(group);
    // The last attempt of all.
    await site.query(
      `UPDATE queue.job SET retry_limit = retry_count + 1, start_after = now() WHERE data->>'sourceId' = $1`,
      [source.id],
    );
    await eventually(async () => expect(await groups('build-sources-given-up')).toEqual(group));
    broken.close();
  });

  it('keep the query of their address secret', async () => {
    const requested: string[] = [];
    let status = 500;
    const host = createServer((request, response) => {
      requested.push(request.url ?? '');
      // As it is now: what waits for the request changes it.
      const statusNow = status;
      void zipOf({ 'package.json': '{}' }).then((zip) => response.writeHead(statusNow).end(zip));
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const plain = `http://127.0.0.1:${(host.address() as AddressInfo).port}/a.zip`;
    const whole = `${plain}?signature=secret`;
    const stored = async (id: string) =>
      (await site.query('SELECT file_url, sealed_file_url FROM build_sources WHERE id = $1', [id]))[0];
    const isTriedAgain = (id: string) =>
      eventually(async () => {
        const sql = `UPDATE queue.job SET start_after = now() WHERE data->>'sourceId' = $1 AND state = 'retry' RETURNING 1`;
        expect(await site.query(sql, [id])).toHaveLength(1);
      });
    const isReady = (id: string) =>
      eventually(async () => {
        const { body } = await app.api.get(`${app.path}/build-sources/${id}`);
        expect(body).toMatchObject({ status: 'ready', fileUrl: plain });
        expect(await stored(id)).toEqual({ file_url: plain, sealed_file_url: null });
      });

    const source = await create(whole);
    expect(source).toMatchObject({ fileUrl: plain });
    expect(await stored(source.id)).toEqual({
      file_url: plain,
      sealed_file_url: expect.stringMatching(/^v1\./) as string,
    });
    await eventually(() => expect(requested).toContain('/a.zip?signature=secret'));
    status = 200;
    await isTriedAgain(source.id);
    await isReady(source.id);

    // A source of an older release.
    status = 500;
    const older = await create(plain);
    await eventually(() => expect(requested).toContain('/a.zip'));
    await site.query('UPDATE build_sources SET file_url = $2, sealed_file_url = NULL WHERE id = $1', [
      older.id,
      whole,
    ]);
    const { body } = await app.api.get(`${app.path}/build-sources/${older.id}`);
    expect(body).toMatchObject({ fileUrl: plain });
    status = 200;
    requested.length = 0;
    await isTriedAgain(older.id);
    await isReady(older.id);
    expect(requested).toEqual(['/a.zip?signature=secret']);
    host.close();
  });

  it('from private addresses are refused unless the operator allows them', async () => {
    const source = await create('https://10.255.0.1/source.zip');
    const metadata = await create('https://169.254.169.254/latest/meta-data');
    const messageOf = async ({ id }: { id: string }): Promise<string | null> =>
      ((await app.api.get(`${app.path}/build-sources/${id}`)).body as TestSource).statusMessage;
    await eventually(async () => {
      expect(await messageOf(source)).toContain('add source=10.255.0.1 to OUTBOUND_ALLOW.');
      expect(await messageOf(metadata)).toMatch(/is not a public address\.$/);
    });
  });

  it('may be there when their build was canceled', async () => {
    const source = await create(`${origin}/slow.zip`);
    const build = await startBuild(app, { appBuildSourceId: source.id });
    const canceled = await app.api.patch(`/v1/jobs/${build.jobId}`, { status: 'canceled' });
    expect(canceled.status).toBe(200);
    gate.resolve();
    await eventually(async () => {
      expect((await app.api.get(`${app.path}/build-sources/${source.id}`)).body).toMatchObject({
        status: 'ready',
      });
    });
    expect((await buildOf(build.id)).job.status).toBe('canceled');
  });
});
