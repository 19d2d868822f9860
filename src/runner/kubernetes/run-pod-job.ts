import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onStopSignal } from '../../common/process/stop-signals.js';
import { SettingsReader } from '../agent/settings-reader.js';
import { Terminal } from '../agent/terminal.js';
import { ApiClient } from '../api/api-client.js';
import { ApiHealth } from '../api/api-health.js';
import { runDriver } from '../drivers/drivers.js';
import { type JobEnd, runJob } from '../job-runs/run-job.js';
import type { JobFolders } from '../folders/job-folders.js';
import type { PodClaim } from './build-job.js';
import { registryUrlOf } from '../sandbox/network/npm-registry.js';
import { PUBLIC_REGISTRY } from '../steps/tools/store/package-registry.js';
import { PodSandbox } from './pod-sandbox.js';

/** How long the other container may take to start, in seconds: its image may have to be pulled first. */
const START_SECONDS = 300;
/** Memory of a program that signs, in MiB: a part of what the container may use. */
const SIGNING_MIB = 1024;

/**
 * `slipway runner job`: does the job of the claim on standard input, in the agent's container of a pod. Its commands run in
 * the other container.
 *
 * @throws Error when the claim or a setting is wrong
 */
export async function runPodJob(env: NodeJS.ProcessEnv): Promise<JobEnd> {
  const { claim, session } = JSON.parse(await text(process.stdin)) as PodClaim;
  const read = new SettingsReader(env);
  const work = read.text('RUNNER_WORK_DIR', '', 4096);
  const artifacts = read.text('RUNNER_ARTIFACTS_DIR', '', 4096);
  const keysDir = read.text('RUNNER_KEYS_DIR', '', 4096);
  const terminal = new Terminal();
  const killed = new AbortController();
  // The lease expires, and the job starts once more in another pod.
  onStopSignal(() => killed.abort());
  const npmRegistry = registryUrlOf(read.text('RUNNER_NPM_REGISTRY', '', 2048));
  const options = {
    cacheDir: join(work, 'no-cache'),
    cacheMiB: 0,
    nodeDir: read.folder('RUNNER_NODE_DIR'),
    nodeDownloads: read.flag('RUNNER_NODE_DOWNLOADS'),
    storeDir: read.text('RUNNER_STORE_DIR', join(work, 'tools'), 4096),
    toolRegistry: npmRegistry ?? PUBLIC_REGISTRY,
    androidHome: read.folder('RUNNER_ANDROID_HOME'),
    jdkDir: read.folder('RUNNER_JDK_DIR'),
    // Pods run on Linux, which has no Xcode.
    xcodeDir: '/Applications',
    toolsDir: read.folder('RUNNER_TOOLS_DIR'),
    signingDir: join(work, 'signing'),
    memoryMiB: read.number('RUNNER_MEMORY', 4096, 64, 16_777_216),
    gitSubmodules: read.flag('RUNNER_GIT_SUBMODULES'),
    gitLfs: read.optionalFlag('RUNNER_GIT_LFS'),
  };
  const { SLIPWAY_URL: url = '', RUNNER_SOCKET: socket = '' } = env;
  const end = await runJob(claim, {
    // The token of the job replaces this one.
    client: new ApiClient(url, '', new ApiHealth((line) => terminal.line(line))),
    protocol: session,
    folders: { make: () => makeFolders(work, artifacts), remove: removeFolders },
    sandbox: new PodSandbox({
      socket,
      startSeconds: START_SECONDS,
      signingMiB: SIGNING_MIB,
      keysDir,
      npmRegistry,
    }),
    runDriver: (run) => runDriver(run, options),
    killed: killed.signal,
    onLog: terminal.logOf('build'),
    onProblem: (problem) => terminal.line(problem),
  });
  terminal.line(`Job ${claim.job.id}: ${end.status}${end.message === null ? '' : `: ${end.message}`}`);
  return end;
}

/** The volumes of the pod. Only the first one is also in the container of the build. */
async function makeFolders(work: string, artifacts: string): Promise<JobFolders> {
  const folders: JobFolders = {
    root: artifacts,
    repo: join(work, 'repo'),
    home: join(work, 'home'),
    cache: join(work, 'cache'),
    artifacts: join(artifacts, 'files'),
  };
  const { repo, home, cache } = folders;
  for (const folder of [repo, home, cache, folders.artifacts]) await mkdir(folder, { recursive: true });
  return folders;
}

/** The volumes go with the pod; the files of the build are deleted immediately. */
async function removeFolders({ artifacts }: JobFolders): Promise<void> {
  await rm(artifacts, { recursive: true, force: true });
}
