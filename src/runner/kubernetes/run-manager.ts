import { arch, platform } from 'node:os';
import { onStopSignal } from '../../common/process/stop-signals.js';
import { VERSION } from '../../config/version.js';
import { type RunnerFlags, type RunnerSettings, readSettings } from '../agent/settings.js';
import { Terminal } from '../agent/terminal.js';
import { ApiClient } from '../api/api-client.js';
import { ApiHealth } from '../api/api-health.js';
import { SettingsError, SettingsReader } from '../agent/settings-reader.js';
import { KubernetesApi, type KubernetesAccess } from './kubernetes-api.js';
import { Manager } from './manager.js';
import { ManagerApi } from './manager-api.js';
import type { PodOptions } from './build-job.js';
import { readPodTemplate } from './pod-template.js';

/** Where Kubernetes shows a pod its service account. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** As Kubernetes writes an amount of processor time. */
const CPU = /^(\d{1,4}|\d{1,4}\.\d{1,3}|\d{1,6}m)$/;

/** What the operator says about a manager of pods. */
export interface ManagerSettings {
  readonly runner: RunnerSettings;
  readonly access: KubernetesAccess;
  readonly pod: Omit<PodOptions, 'runnerId'>;
}

/** How long a pod may take to start, in seconds: the API waits no longer, either, with its usual leases. */
const START_SECONDS = 600;

/**
 * `slipway runner kubernetes`: claims jobs and makes a pod of each, until SIGTERM or SIGINT.
 *
 * @throws Error when a setting is wrong, the API refuses the token, or another process uses it
 */
export async function runManager(env: NodeJS.ProcessEnv, flags: RunnerFlags): Promise<void> {
  const { runner, access, pod } = await readManagerSettings(env, flags);
  const terminal = new Terminal();
  const print = (line: string): void => terminal.line(line);
  const stopping = new AbortController();
  onStopSignal(() => stopping.abort());
  const api = new ManagerApi(new ApiClient(runner.url, runner.token, new ApiHealth(print)), {
    name: runner.name,
    version: VERSION,
    os: platform(),
    arch: arch(),
    // The tools are in the images of the pods, where the manager does not look.
    platforms: runner.platforms.length === 0 ? ['web'] : [...runner.platforms],
    stacks: [...runner.stacks],
    labels: [...runner.labels],
    slots: runner.slots,
  });
  const manager = new Manager(api, new KubernetesApi(access), {
    slots: runner.slots,
    pod,
    print,
    startSeconds: START_SECONDS,
  });
  await manager.run(stopping.signal);
}

/** @throws SettingsError, or an Error about the template */
export async function readManagerSettings(
  env: NodeJS.ProcessEnv,
  flags: RunnerFlags = {},
): Promise<ManagerSettings> {
  const runner = readSettings(env, flags);
  const read = new SettingsReader(env);
  const agentImage = read.text('RUNNER_POD_IMAGE', '', 1000);
  if (agentImage === '') throw new SettingsError('RUNNER_POD_IMAGE is required: the image of the runner.');
  const cpu = read.text('RUNNER_POD_CPU', '2', 10);
  if (!CPU.test(cpu)) throw new SettingsError('RUNNER_POD_CPU must be a number of cores, such as 2 or 500m.');
  const template = read.text('RUNNER_POD_TEMPLATE', '', 4096);
  return {
    runner,
    access: accessOf(read),
    pod: {
      apiUrl: runner.url,
      agentImage,
      buildImage: read.text('RUNNER_BUILD_IMAGE', agentImage, 1000),
      cpu,
      memoryMiB: runner.memoryMiB,
      diskMiB: runner.diskMiB,
      template: await readPodTemplate(template === '' ? null : template),
      env: {
        RUNNER_MEMORY: String(runner.memoryMiB),
        RUNNER_GIT_SUBMODULES: String(runner.gitSubmodules),
        ...(runner.gitLfs === null ? {} : { RUNNER_GIT_LFS: String(runner.gitLfs) }),
        RUNNER_NODE_DOWNLOADS: String(runner.nodeDownloads),
        ...(runner.npmRegistry === null ? {} : { RUNNER_NPM_REGISTRY: runner.npmRegistry }),
        ...(runner.nodeDir === null ? {} : { RUNNER_NODE_DIR: runner.nodeDir }),
        ...(runner.androidHome === null ? {} : { RUNNER_ANDROID_HOME: runner.androidHome }),
        ...(runner.jdkDir === null ? {} : { RUNNER_JDK_DIR: runner.jdkDir }),
        ...(runner.toolsDir === null ? {} : { RUNNER_TOOLS_DIR: runner.toolsDir }),
      },
    },
  };
}

/** @throws SettingsError outside of a cluster */
function accessOf(read: SettingsReader): KubernetesAccess {
  const accountFolder = read.text('RUNNER_KUBERNETES_ACCOUNT', ACCOUNT, 4096);
  const url = read.text('RUNNER_KUBERNETES_URL', '', 1000);
  if (url !== '') return { url: url.replace(/\/$/, ''), accountFolder };
  const host = read.text('KUBERNETES_SERVICE_HOST', '', 255);
  const port = read.text('KUBERNETES_SERVICE_PORT', '443', 5);
  if (host === '') {
    throw new SettingsError(
      'This is no pod of Kubernetes (KUBERNETES_SERVICE_HOST is not set): set RUNNER_KUBERNETES_URL, such as http://127.0.0.1:8001 for "kubectl proxy".',
    );
  }
  return { url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`, accountFolder };
}
