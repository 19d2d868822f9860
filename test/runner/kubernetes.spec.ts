import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IPodSpec } from 'kubernetes-models/v1';
import { createApp, type TestApp } from '../builders/app.js';
import { testEnvironment } from '../setup/test-environment.js';
import { eventually } from '../support/eventually.js';
import { canRunContainers } from '../support/kubernetes/container.js';
import { KubernetesServer } from '../support/kubernetes/kubernetes-server.js';
import { type RunningPod, runPod } from '../support/kubernetes/run-pod.js';
import { startBuild } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { ToolRegistry } from '../support/runners/tool-registry.js';
import { registerRunner } from '../support/runners/start-runner.js';
import { webProject } from '../support/runners/web-project.js';

const MAIN = join(import.meta.dirname, '../../dist/slipway.js');

/** What a build can see of the secrets of its pod: prints what it finds. */
const SPY = `
const { readdirSync, readFileSync, existsSync } = require('node:fs');
const found = [];
for (const name of readdirSync('/proc').filter((name) => /^\\d+$/.test(name))) {
  for (const file of ['environ', 'cmdline']) {
    try {
      if (/slj_|slr_|RUNNER_CLAIM/.test(readFileSync('/proc/' + name + '/' + file, 'latin1'))) found.push(name + '/' + file);
    } catch {}
  }
}
for (const path of ['/var/run/secrets', '/var/lib/slipway-artifacts', '/var/run/docker.sock']) if (existsSync(path)) found.push(path);
console.log('spy: ' + JSON.stringify(found));
`;

/** The environments of the processes of this machine whose command line ends with some words. */
async function environmentsOf(words: string): Promise<string[]> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        const isOne = line.startsWith('node\0') && line.replaceAll('\0', ' ').trim().endsWith(words);
        return isOne ? [await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')] : [];
      }),
  );
  return found.flat();
}

describe('a manager of pods', () => {
  let app: TestApp;
  let kubernetes: KubernetesServer;
  let token: string;
  let account: string;
  let manager: ChildProcess;
  let printed: string;
  const pods: RunningPod[] = [];

  beforeEach(async () => {
    app = await createApp();
    token = await registerRunner(app.tenant);
    kubernetes = await KubernetesServer.start();
    account = await temporaryFolder();
    await writeFile(join(account, 'token'), `${kubernetes.token}\n`);
    await writeFile(join(account, 'namespace'), 'builds');
    printed = '';
  });

  afterEach(async () => {
    await stop('SIGKILL');
    for (const { containers, ended } of pods.splice(0)) {
      for (const container of containers.values()) container.kill('SIGKILL');
      await ended;
    }
    kubernetes.stop();
  });

  async function start(env: Record<string, string> = {}): Promise<void> {
    manager = spawn(process.execPath, [MAIN, 'runner', 'kubernetes'], {
      env: {
        PATH: process.env['PATH'],
        SLIPWAY_URL: testEnvironment().origin,
        RUNNER_TOKEN: token,
        RUNNER_SLOTS: '2',
        RUNNER_POD_IMAGE: 'slipway-runner:test',
        RUNNER_KUBERNETES_URL: kubernetes.url,
        RUNNER_KUBERNETES_ACCOUNT: account,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [manager.stdout, manager.stderr]) {
      stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    }
    await eventually(() => expect(printed).toContain('Waiting for jobs'));
  }

  async function stop(signal: NodeJS.Signals): Promise<number | null> {
    if (manager.exitCode !== null || manager.signalCode !== null) return manager.exitCode;
    const exited = once(manager, 'exit') as Promise<[number | null]>;
    manager.kill(signal);
    return (await exited)[0];
  }

  const build = async (project = webProject(app.id)) =>
    startBuild(app, { appBuildSourceId: await uploadSource(app, project) });
  const job = async (id: string) =>
    (await app.api.get(`/v1/jobs/${id}`)).body as { status: string; statusMessage: string | null };
  const posts = () => kubernetes.requests.filter((request) => request.startsWith('POST'));

  (canRunContainers ? it : it.skip)(
    'builds in a pod that has the token of its job only, with the Node.js that its agent fetches',
    async () => {
      const registry = await ToolRegistry.start();
      registry.publishNode('21.7.3', '/app/node/bin/node');
      kubernetes.onPod = ({ spec }, secret) => {
        void runPod(spec?.template.spec as unknown as IPodSpec, secret).then((pod) => pods.push(pod));
      };
      await start({ RUNNER_NODE_DOWNLOADS: 'true', RUNNER_NPM_REGISTRY: registry.url });
      const files = webProject(app.id, { lines: 4, pause: 500, files: { '.nvmrc': '21' } });
      files['build.cjs'] = `${SPY}${files['build.cjs']}`;
      const { id, jobId } = await build(files);
      await eventually(async () => expect((await job(jobId)).status).toBe('in_progress'));
      expect(await environmentsOf('runner job')).toEqual([
        expect.not.stringMatching(/RUNNER_CLAIM|slj_|slr_/),
      ]);
      await eventually(async () => expect((await job(jobId)).status).toMatch(/succeeded|failed/), 90_000);
      const [pod] = pods;
      expect([await job(jobId), pod?.output]).toMatchObject([
        { status: 'succeeded' },
        expect.stringContaining('spy: []'),
      ]);
      expect(pod?.output).toContain('Using Node.js 21.7.3, as .nvmrc says');
      await registry.stop();
      expect(await pod?.ended).toEqual({ agent: 0, build: 0 });
      expect(posts()).toEqual(['POST jobs', 'POST secrets']);
      const { body } = await app.api.get(`${app.path}/builds/${id}?relations=appBuildArtifacts`);
      expect(body).toMatchObject({ appBuildArtifacts: [{ type: 'zip', status: 'ready' }] });
      const stored = JSON.stringify(kubernetes.jobs);
      for (const secret of ['slj_', 'slr_', kubernetes.token]) expect(stored).not.toContain(secret);
      expect(JSON.stringify([...kubernetes.objects.values()])).not.toContain('slr_');
    },
  );

  it('gives a job back when Kubernetes refuses its pod, and claims no other at once', async () => {
    const headers = { 'retry-after': '1' };
    kubernetes.failures.push(
      { request: 'GET jobs', status: 429, reason: 'TooManyRequests', headers },
      { request: 'POST jobs', status: 403, reason: 'Forbidden', headers },
    );
    // Jobs that go back take a slot until their lease ends.
    await start({ RUNNER_SLOTS: '3' });
    const { jobId } = await build();
    await eventually(
      () => expect(printed).toMatch(/cannot be counted: TooManyRequests \(429\)\. Next try in 1 s/),
      20_000,
    );
    await eventually(
      () => expect(printed).toContain(`Job ${jobId} goes back to the queue: Forbidden (403).`),
      20_000,
    );
    expect(await job(jobId)).toMatchObject({ status: expect.stringMatching(/pending|queued/) });
    expect(kubernetes.jobs).toEqual([]);
    // Without its Secret, a Job would wait forever.
    kubernetes.failures.push({ request: 'POST secrets', status: 500, reason: 'InternalError', headers });
    const other = await build();
    const line = `Job ${other.jobId} goes back to the queue: InternalError (500).`;
    await eventually(() => expect(printed).toContain(line), 20_000);
    expect(kubernetes.jobs).toEqual([]);
    // A request without an answer is the same.
    kubernetes.failures.push({ request: 'POST jobs', status: 0 });
    const third = await build();
    await eventually(
      () => expect(printed).toContain(`Job ${third.jobId} goes back to the queue: Kube`),
      20_000,
    );
  });

  it('takes no more jobs than it has slots, and lets pods go on when it stops', async () => {
    await start({ RUNNER_SLOTS: '1' });
    const [first, second] = [await build(), await build()];
    await eventually(() => expect(kubernetes.jobs).toHaveLength(1), 20_000);
    await sleep(1500);
    expect(kubernetes.jobs).toHaveLength(1);
    const statuses = await Promise.all([first, second].map(async ({ jobId }) => (await job(jobId)).status));
    expect(statuses.toSorted()).toEqual(['pending', 'queued']);
    const [running, waiting] = statuses[0] === 'pending' ? [first, second] : [second, first];
    expect((await app.api.patch(`/v1/jobs/${running.jobId}`, { status: 'canceled' })).status).toBe(200);
    const shownJob = () => kubernetes.jobs.map(({ metadata }) => metadata.labels?.['slipway/job']);
    await eventually(() => expect(shownJob()).toEqual([waiting.jobId]), 40_000);
    await stop('SIGKILL');
    // The next one counts the pods of the former one.
    printed = '';
    await start({ RUNNER_SLOTS: '1' });
    await sleep(1500);
    expect(kubernetes.jobs).toHaveLength(1);
    expect(await stop('SIGTERM')).toBe(0);
    expect(kubernetes.jobs).toHaveLength(1);
  });

  it('deletes the pod of a job that is canceled before it has started', async () => {
    await start();
    const { jobId } = await build();
    await eventually(() => expect(kubernetes.objects.size).toBe(2), 20_000);
    expect((await app.api.patch(`/v1/jobs/${jobId}`, { status: 'canceled' })).status).toBe(200);
    await eventually(() => expect(kubernetes.objects.size).toBe(0));
  });
});
