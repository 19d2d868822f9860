import pg from 'pg';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { certificateParts, createCertificate } from '../../builders/certificate.js';
import { createGitConnection } from '../../builders/git-connection.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { endlessIpa } from '../../support/native-builds/endless-plist.js';
import { makeIpa } from '../../support/native-builds/ipa-writer.js';
import { startBuild, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';
import { type TestSource, uploadSource } from '../../support/native-builds/sources.js';
import { createTenant } from '../../builders/identities.js';
import { createRunner } from '../../builders/runner.js';
import { publishManifest } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { form, send } from '../../support/http/multipart.js';
import { getDelta } from '../../support/live-updates/deltas.js';
import { largeText } from '../../support/live-updates/large-texts.js';
import { publish, uploadFiles } from '../../support/live-updates/uploads.js';
import { slowKey } from '../../support/native-builds/slow-key.js';
import { HoldingServer } from '../../support/servers/holding-server.js';
import { eventually } from '../../support/eventually.js';

/*
 * What the work of organizations waits for: for each, another organization is served while all work of the first one is
 * held.
 */

/** One kind of work. */
interface Work {
  readonly what: string;
  /** Works of one organization that are held at once, at most. */
  readonly share: number;
  /** Begins work of an app that ends when the server answers. */
  readonly begin: (app: TestApp, server: HoldingServer) => Promise<unknown>;
}

const works: readonly Work[] = [
  {
    what: 'git calls',
    share: 2,
    begin: async (app, server) => {
      const connection = await createGitConnection(app.tenant, {
        provider: 'git_http',
        baseUrl: server.origin,
      });
      const body = { gitConnectionId: connection.id, path: app.id };
      return app.api.put(`${app.path}/repository`, body);
    },
  },
  {
    what: 'fetched sources',
    share: 2,
    begin: async (app, server) => {
      const fileUrl = `${server.origin}/${app.id}.zip`;
      const { id } = expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, { fileUrl }));
      await eventually(async () => {
        const { body } = await app.api.get(`${app.path}/build-sources/${id}`);
        expect(body).toMatchObject({ status: 'ready' });
      });
    },
  },
];

it.each(works)('$what of one organization hold no others', async ({ share, begin }) => {
  const server = await HoldingServer.start();
  const [greedy, other] = [await createApp(), await createApp()];
  try {
    server.hold(greedy.id);
    const held = Array.from({ length: 10 }, () => begin(greedy, server));
    await eventually(() => expect(server.heldRequests).toBe(share));
    await begin(other, server);
    expect(server.heldRequests).toBe(share);
    server.release();
    await Promise.all(held);
    expect(server.mostHeld).toBe(share);
  } finally {
    await server.stop();
  }
});

it('certificates of one organization that take long to open hold no others', async () => {
  const [greedy, other] = [await createApp(), await createApp()];
  let ended = 0;
  const parts = form(certificateParts({ password: 'x' }, slowKey()));
  const slow = Array.from({ length: 2 }, () =>
    send(greedy.api, 'post', `${greedy.path}/certificates`, parts).finally(() => ended++),
  );
  await greedy.api.get(greedy.path);
  await createCertificate(other);
  expect(ended).toBe(0);
  await Promise.all(slow);
});

it('artifacts of one organization that take long to read hold no others', async () => {
  const apps = [await createApp(), await createApp()];
  const [greedy, other] = await Promise.all(
    apps.map(async (app) => {
      const source = await uploadSource(app, { 'package.json': '{}' });
      await createRunner(app.tenant, {}, { platforms: ['ios'], stacks: ['macos-tahoe'] });
      return async (bytes: Buffer): Promise<number> => {
        const build = await startBuild(app, { platform: 'ios', appBuildSourceId: source });
        const lease = await takeJob(build.jobId);
        return (await uploadArtifact(lease, bytes, { type: 'ipa' })).completed.status;
      };
    }),
  );
  const [endless, small] = [await endlessIpa(), await makeIpa()];
  let ended = 0;
  const slow = Array.from({ length: 3 }, () => greedy?.(endless).finally(() => ended++));
  expect(await other?.(small)).toBe(200);
  expect(ended).toBeLessThan(slow.length);
  expect(await Promise.all(slow)).toEqual([400, 400, 400]);
});

it('deltas of one organization hold no others', async () => {
  const [greedy, other] = [await createApp(), await createApp()];
  const versions = (app: TestApp): Promise<string[]> =>
    Promise.all(
      ['one', 'two', 'three'].map(async (text) => (await publishManifest(app, { 'index.html': text })).id),
    );
  const [[to = '', ...from], [newest = '', older = '']] = [await versions(greedy), await versions(other)];
  const client = new pg.Client({ connectionString: testEnvironment().databaseUrl });
  await client.connect();
  try {
    // A server that claims one of them waits for this transaction.
    await client.query('BEGIN');
    for (const id of from) {
      await client.query(
        'INSERT INTO bundle_deltas (to_bundle_id, from_bundle_id, claimed_until) VALUES ($1, $2, now())',
        [to, id],
      );
    }
    const held = from.map((id) => getDelta(greedy.api.origin, greedy.path, to, `from=${id}`));
    await eventually(async () => {
      const sql = `SELECT 1 FROM pg_stat_activity
                    WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO bundle_deltas%' AND datname = current_database()`;
      expect(await query(testEnvironment().databaseUrl, sql)).not.toEqual([]);
    });
    expect((await getDelta(other.api.origin, other.path, newest, `from=${older}`)).status).toBe(200);
    await client.query('ROLLBACK');
    for (const response of await Promise.all(held)) expect(response.status).toBe(200);
  } finally {
    await client.end();
  }
});

it('files of one organization that are compressed hold no others', async () => {
  const [greedy, small] = [await createApp(), await createBundle(await createApp())];
  const large = await Promise.all([greedy, greedy].map((app) => createBundle(app)));
  const text = largeText(4_000_000);
  for (const bundle of large) {
    const files = Array.from({ length: 4 }, (_, i) => [`${i}.js`, `// ${bundle.id} ${i}\n${text}`] as const);
    await uploadFiles(bundle, { ...Object.fromEntries(files), 'index.html': 'small' });
  }
  await uploadFiles(small, { 'index.html': largeText(20_000) });
  let ended = 0;
  const held = large.map((bundle) => publish(bundle).finally(() => ended++));
  await greedy.api.get(greedy.path);
  expect((await publish(small)).body).toMatchObject({ artifactStatus: 'ready', pendingCompressions: 0 });
  expect(ended).toBe(0);
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
});

it('simulations of one organization hold no others', async () => {
  const tenant = await createTenant();
  const other = await createApp();
  const greedy = await Promise.all(Array.from({ length: 4 }, () => createApp(tenant)));
  for (const app of greedy) {
    await query(
      testEnvironment().databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            channel_id, last_seen_at)
       SELECT $1, 'device-' || n, 0, n::text, '1', '34', '8.4.3', $2, now() FROM generate_series(1, 20000) AS n`,
      [app.id, app.defaultChannelId],
    );
  }
  const simulate = async (app: TestApp): Promise<void> => {
    const body = { change: 'pause', appChannelId: app.defaultChannelId };
    expect((await app.api.post(`${app.path}/simulations`, body)).status).toBe(200);
  };
  let ended = 0;
  const all = greedy.map((app) => simulate(app).finally(() => ended++));
  await tenant.owner.api.get(greedy[0]?.path ?? '');
  await simulate(other);
  expect(ended).toBeLessThan(greedy.length);
  await Promise.all(all);
});
