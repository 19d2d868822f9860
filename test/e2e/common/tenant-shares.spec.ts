import pg from 'pg';
import { createAccount, createApp, type TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { certificateParts, createCertificate } from '../../builders/certificate.js';
import { createGitConnection } from '../../builders/git-connection.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { endlessIpa } from '../../support/native-builds/endless-plist.js';
import { makeIpa } from '../../support/native-builds/ipa-writer.js';
import { startBuild, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';
import { type TestSource, uploadSource } from '../../support/native-builds/sources.js';
import { createActor, createMember } from '../../builders/identities.js';
import { createRunner } from '../../builders/runner.js';
import { publishManifest } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { form, send } from '../../support/http/multipart.js';
import { getDelta } from '../../support/live-updates/deltas.js';
import { largeText } from '../../support/live-updates/large-texts.js';
import { publish, uploadFiles } from '../../support/live-updates/uploads.js';
import { auditPath } from '../../support/organizations/audit-log.js';
import { slowKey } from '../../support/native-builds/slow-key.js';
import { HoldingServer } from '../../support/servers/holding-server.js';
import { eventually } from '../../support/eventually.js';

/*
 * What all tenants share: for each limit, another account is served while an account with thirty organizations holds and
 * waits for all that it may.
 */

const ORGANIZATIONS = 30;

/** One kind of work. */
interface Work {
  readonly what: string;
  /** Works of one account that are held at the same time, at most. */
  readonly share: number;
  /** Begins work of an app that ends when the server answers. @returns the last status */
  readonly begin: (app: TestApp, server: HoldingServer) => Promise<number>;
  /** Statuses of works that got no turn in time. */
  readonly refused: number[];
}

const works: readonly Work[] = [
  {
    what: 'git calls',
    share: 4,
    begin: async (app, server) => {
      const connection = await createGitConnection(app.tenant, {
        provider: 'git_http',
        baseUrl: server.origin,
      });
      const body = { gitConnectionId: connection.id, path: connection.id };
      return (await app.api.put(`${app.path}/repository`, body)).status;
    },
    // Twenty may wait.
    refused: Array.from({ length: ORGANIZATIONS - 24 }, () => 429),
  },
  {
    what: 'fetched sources',
    share: 4,
    begin: async (app, server) => {
      const fileUrl = `${server.origin}/${app.id}.zip`;
      const { id } = expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, { fileUrl }));
      await eventually(async () => {
        const { body } = await app.api.get(`${app.path}/build-sources/${id}`);
        expect(body).toMatchObject({ status: 'ready' });
      });
      return 200;
    },
    refused: [],
  },
];

it.each(works)('$what of one account hold no others', async ({ share, begin, refused }) => {
  const server = await HoldingServer.start();
  const [greedy, other] = [await createAccount(ORGANIZATIONS), await createApp()];
  try {
    server.hold('');
    const held = greedy.map((app) => begin(app, server));
    await eventually(() => expect(server.heldRequests).toBe(share));
    server.passNext();
    expect(await begin(other, server)).toBe(200);
    expect(server.heldRequests).toBe(share);
    server.release();
    const statuses = await Promise.all(held);
    expect(statuses.filter((status) => status !== 200)).toEqual(refused);
    expect(server.mostHeld).toBe(share);
  } finally {
    await server.stop();
  }
});

it('twenty members of an organization have its share, and no one has to wait for all others', async () => {
  const server = await HoldingServer.start();
  const app = await createApp();
  const connection = await createGitConnection(app.tenant, { provider: 'git_http', baseUrl: server.origin });
  const members = await Promise.all(Array.from({ length: 20 }, () => createMember(app.tenant, 'admin')));
  try {
    server.hold('');
    const held = members.map(({ api }) =>
      api.put(`${app.path}/repository`, { gitConnectionId: connection.id, path: 'shop' }),
    );
    await eventually(() => expect(server.heldRequests).toBe(2));
    server.release();
    for (const { status } of await Promise.all(held)) expect(status).toBe(200);
    expect(server.mostHeld).toBe(2);
  } finally {
    await server.stop();
  }
});

it('a user who serves thirty customers takes a share of each', async () => {
  const server = await HoldingServer.start();
  const ci = await createActor();
  const apps = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => createApp()));
  try {
    for (const app of apps) {
      await query(
        testEnvironment().databaseUrl,
        "INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'admin')",
        [app.tenant.organizationId, ci.userId],
      );
    }
    server.hold('');
    const held = apps.map(async (app) => {
      const connection = await createGitConnection(app.tenant, {
        provider: 'git_http',
        baseUrl: server.origin,
      });
      return ci.api.put(`${app.path}/repository`, { gitConnectionId: connection.id, path: 'shop' });
    });
    await eventually(() => expect(server.heldRequests).toBe(ORGANIZATIONS));
    server.release();
    for (const { status } of await Promise.all(held)) expect(status).toBe(200);
  } finally {
    await server.stop();
  }
});

it('certificates of one account that take long to open hold no others', async () => {
  const [greedy, other] = [await createAccount(ORGANIZATIONS), await createApp()];
  let ended = 0;
  const parts = form(certificateParts({ password: 'x' }, slowKey()));
  const slow = greedy.map((app) =>
    send(app.api, 'post', `${app.path}/certificates`, parts).then(({ status, body, headers }) => {
      if (status !== 429) ended++;
      return { status, code: (body as { code: string }).code, wait: Number(headers['retry-after'] ?? 0) };
    }),
  );
  await greedy[0]?.api.get(greedy[0].path);
  await createCertificate(other);
  expect(ended).toBe(0);
  const answers = await Promise.all(slow);
  // One is opened, and two wait: on a busy machine, one of these gets no turn in 20 seconds, or no processor.
  const busy = answers.filter(({ code, wait }) => code === 'server_busy' && wait === 5);
  const opened = answers.filter(({ status }) => status === 400 || status === 503);
  expect(opened.length).toBeGreaterThan(0);
  expect(opened.length).toBeLessThanOrEqual(3);
  expect(busy).toHaveLength(ORGANIZATIONS - opened.length);
});

it('artifacts of one account that take long to read hold no others', async () => {
  const account = await createAccount(3);
  const [other, ...greedy] = await Promise.all(
    [await createApp(), ...account].map(async (app) => {
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
  const slow = greedy.map((upload) => upload(endless).finally(() => ended++));
  expect(await other?.(small)).toBe(200);
  expect(ended).toBeLessThan(slow.length);
  expect(await Promise.all(slow)).toEqual([400, 400, 400]);
});

it('deltas of one account hold no others', async () => {
  const [greedy, other] = [await createAccount(3), await createApp()];
  const versions = (app: TestApp): Promise<string[]> =>
    Promise.all(['one', 'two'].map(async (text) => (await publishManifest(app, { 'index.html': text })).id));
  const pairs = await Promise.all(greedy.map(async (app) => ({ app, pair: await versions(app) })));
  const [newest = '', older = ''] = await versions(other);
  const client = new pg.Client({ connectionString: testEnvironment().databaseUrl });
  await client.connect();
  try {
    // A server that claims one of them waits for this transaction.
    await client.query('BEGIN');
    for (const { pair } of pairs) {
      await client.query(
        'INSERT INTO bundle_deltas (to_bundle_id, from_bundle_id, claimed_until) VALUES ($1, $2, now())',
        pair,
      );
    }
    const held = pairs.map(({ app, pair: [to = '', from = ''] }) =>
      getDelta(app.api.origin, app.path, to, `from=${from}`),
    );
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

it('exports of one account hold no others, and those that get no turn are not recorded', async () => {
  const [greedy, other] = [await createAccount(ORGANIZATIONS), await createApp()];
  const ids = greedy.map(({ tenant }) => tenant.organizationId);
  let refused = 0;
  const exported = async ({ api, tenant }: TestApp) => {
    const { status, body, headers } = await api.get(`${auditPath(tenant)}/export`);
    if (status === 429) refused++;
    return status === 200 ? 200 : [status, (body as { code: string }).code, headers['retry-after']];
  };
  const client = new pg.Client({ connectionString: testEnvironment().databaseUrl });
  await client.connect();
  try {
    // An export that has its turn waits for this transaction.
    await client.query('BEGIN');
    await client.query('SELECT FROM audit_chains WHERE organization_id = ANY ($1) FOR UPDATE', [ids]);
    const held = greedy.map(exported);
    // Four have their turn, and ten may wait.
    await eventually(() => expect(refused).toBe(ORGANIZATIONS - 14));
    expect(await exported(other)).toBe(200);
    await client.query('ROLLBACK');
    const answers = await Promise.all(held);
    expect(answers.filter((answer) => answer === 200)).toHaveLength(14);
    const others = answers.filter((answer) => answer !== 200);
    expect(others).toEqual(others.map(() => [429, 'server_busy', '5']));
    const events = await query(
      testEnvironment().databaseUrl,
      "SELECT FROM audit_events WHERE organization_id = ANY ($1) AND object_name = 'audit-log-exported'",
      [ids],
    );
    expect(events).toHaveLength(14);
  } finally {
    await client.end();
  }
});

it('files of one account that are compressed hold no others', async () => {
  const [account, small] = [await createAccount(2), await createBundle(await createApp())];
  const large = await Promise.all(account.map((app) => createBundle(app)));
  const text = largeText(4_000_000);
  for (const bundle of large) {
    const files = Array.from({ length: 4 }, (_, i) => [`${i}.js`, `// ${bundle.id} ${i}\n${text}`] as const);
    await uploadFiles(bundle, { ...Object.fromEntries(files), 'index.html': 'small' });
  }
  await uploadFiles(small, { 'index.html': largeText(20_000) });
  let ended = 0;
  const held = large.map((bundle) => publish(bundle).finally(() => ended++));
  await account[0]?.api.get(account[0].path);
  expect((await publish(small)).body).toMatchObject({ artifactStatus: 'ready', pendingCompressions: 0 });
  expect(ended).toBe(0);
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
});

it('simulations of one account hold no others', async () => {
  const [greedy, other] = [await createAccount(4), await createApp()];
  for (const app of greedy) {
    await query(
      testEnvironment().databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            channel_id, last_seen_at)
       SELECT $1, 'device-' || n, 0, n::text, '1', '34', '8.4.3', $2, now() FROM generate_series(1, 20000) AS n`,
      [app.id, app.defaultChannelId],
    );
  }
  const simulate = async (app: TestApp): Promise<number> => {
    const body = { change: 'pause', appChannelId: app.defaultChannelId };
    return (await app.api.post(`${app.path}/simulations`, body)).status;
  };
  let ended = 0;
  const all = greedy.map((app) => simulate(app).finally(() => ended++));
  await greedy[0]?.api.get(greedy[0].path);
  expect(await simulate(other)).toBe(200);
  expect(ended).toBeLessThan(greedy.length);
  const [first, ...later] = (await Promise.all(all)).toSorted();
  expect(first).toBe(200);
  // On a busy machine, the last ones get no turn in 20 seconds.
  for (const status of later) expect([200, 429]).toContain(status);
});
