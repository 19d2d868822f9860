import { arch, platform } from 'node:os';
import { onStopSignal } from '../../common/process/stop-signals.js';
import { VERSION } from '../../config/version.js';
import type { RunnerFlags } from '../agent/settings.js';
import { Terminal } from '../agent/terminal.js';
import { ApiClient } from '../api/api-client.js';
import { ApiHealth } from '../api/api-health.js';
import { KubernetesApi } from './kubernetes-api.js';
import { Manager } from './manager.js';
import { ManagerApi } from './manager-api.js';
import { readManagerSettings } from './manager-settings.js';

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
