import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestApp } from '../builders/app.js';
import { ownAddresses } from '../../src/runner/sandbox/network/routes.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { expectCreated } from '../support/http/expect-created.js';
import { startBuild } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { LocalRegistry } from '../support/runners/local-registry.js';
import { webProject } from '../support/runners/web-project.js';
import { newDataDir, startInstallation, type StartedServer } from '../support/servers/started-server.js';

const SECRET = 'secret-of-the-server';

/** A server with secrets that its runner must not have. */
function start(dataDir: string, env: Record<string, string> = {}): Promise<StartedServer> {
  return startInstallation(dataDir, {
    SMTP_URL: `smtp://user:${SECRET}@127.0.0.1:25`,
    MAIL_FROM: 'slipway@example.com',
    PUBLIC_URL: 'http://localhost',
    ...env,
  });
}

async function firstOrganization(api: Api): Promise<string> {
  const { body } = await api.get('/v1/organizations');
  return (body as { id: string }[])[0]?.id ?? '';
}

const runnersOf = async (api: Api): Promise<{ id: string; name: string; online: boolean }[]> =>
  (await api.get(`/v1/organizations/${await firstOrganization(api)}/runners`)).body as never;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('builds what is uploaded, and keeps its registration', async () => {
  const dataDir = await newDataDir();
  let server = await start(dataDir);
  if (server.output.includes('There is no built-in runner')) {
    process.stderr.write('Skipped: this machine has no sandbox.\n');
    return;
  }
  await server.waitForRunner();
  expect(server.output).toContain('  Runner       builds web projects of all organizations on this machine');
  const environment = await readFile(`/proc/${server.runnerPid()}/environ`, 'utf8');
  for (const word of [SECRET, 'SMTP_URL', 'DATABASE_URL', 'ENCRYPTION_KEY']) {
    expect(environment).not.toContain(word);
  }
  expect((await stat(join(dataDir, 'runner-token'))).mode & 0o777).toBe(0o600);
  let api = await server.api();
  const organizationId = await firstOrganization(api);
  const app = expectCreated<{ id: string }>(
    await api.post(`/v1/apps?organizationId=${organizationId}`, { name: 'Shop' }),
  );
  const testApp = { id: app.id, path: `/v1/apps/${app.id}`, api } as TestApp;
  const build = await startBuild(testApp, {
    appBuildSourceId: await uploadSource(testApp, webProject(app.id)),
  });
  const status = async (): Promise<string> =>
    ((await api.get(`/v1/jobs/${build.jobId}`)).body as { status: string }).status;
  await eventually(async () => expect(await status()).toBe('succeeded'));
  const [runner] = await runnersOf(api);
  expect(runner).toMatchObject({ name: 'Built in', shared: true, online: true });

  server.child.kill('SIGTERM');
  await server.exited;
  expect(isAlive(server.runnerPid())).toBe(false);
  expect(server.output).toContain('Runner: Stopping');
  server = await start(dataDir);
  await server.waitForRunner();
  api = await server.api();
  expect((await runnersOf(api)).map(({ id }) => id)).toEqual([runner?.id]);

  // It starts again when it dies, and ends with a server that is killed.
  const first = server.runnerPid();
  process.kill(first, 'SIGKILL');
  await eventually(() =>
    expect(server.output).toMatch(/has ended with SIGKILL and starts again in 1 seconds/),
  );
  await eventually(() => expect(server.output.match(/waits for jobs/g)).toHaveLength(2));
  const pids = [...server.output.matchAll(/"pid":(\d+),"msg":"The built-in runner/g)].map(([, pid]) =>
    Number(pid),
  );
  expect(pids).toHaveLength(2);
  server.child.kill('SIGKILL');
  await server.exited;
  await eventually(() => expect(pids.some(isAlive)).toBe(false), 15_000);
});

it('gives builds of every organization packages of the registry of this machine, without its credentials', async () => {
  const [own] = ownAddresses();
  if (own === undefined) return;
  const registry = await LocalRegistry.start(own, 'acme-banner', 'Hello from the registry');
  const address = `${registry.origin}/`;
  const server = await start(await newDataDir(), {
    npm_config_registry: address.replace('://', `://ada:${SECRET}@`),
  });
  try {
    if (server.output.includes('There is no built-in runner')) return;
    expect(server.output).toContain(`with packages of the npm registry ${address} of this machine's npm`);
    await server.waitForRunner();
    const api = await server.api();
    const organization = expectCreated<{ id: string }>(
      await api.post('/v1/organizations', { name: 'Second' }),
    );
    const app = expectCreated<{ id: string }>(
      await api.post(`/v1/apps?organizationId=${organization.id}`, { name: 'Shop' }),
    );
    const testApp = { id: app.id, path: `/v1/apps/${app.id}`, api } as TestApp;
    const source = webProject(app.id, {
      files: {
        'package.json': JSON.stringify({
          name: 'shop',
          private: true,
          scripts: { build: 'node build.cjs' },
          dependencies: { 'acme-banner': '1.0.0' },
        }),
        'capawesome.config.json': '{}',
        'build.cjs': `console.log(require('acme-banner')); console.log(process.env);
          require('node:fs').mkdirSync('dist'); require('node:fs').writeFileSync('dist/index.html', '<p>');`,
      },
    });
    const build = await startBuild(testApp, { appBuildSourceId: await uploadSource(testApp, source) });
    const job = async () =>
      (await api.get(`/v1/jobs/${build.jobId}?relations=jobLogs`)).body as {
        status: string;
        jobLogs: { payload: string }[];
      };
    await eventually(async () => expect((await job()).status).toMatch(/succeeded|failed/));
    const log = (await job()).jobLogs.map(({ payload }) => payload).join('\n');
    expect(log).toContain('Hello from the registry');
    expect(log).toContain(`npm_config_registry: '${address}'`);
    expect(log).not.toMatch(new RegExp(`${SECRET}|ada:`));
    expect(registry.credentials).toEqual([]);
  } finally {
    await registry.stop();
  }
});
