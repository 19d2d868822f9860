import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * `slipway runner` as on a Mac: the real agent and its real parts, as they were built, but without looking for the sandbox that
 * Linux has. Its settings come from the environment.
 */

const dist = join(import.meta.dirname, '../../../../dist/src');
const load = <M>(path: string): Promise<M> => import(pathToFileURL(join(dist, path)).href) as Promise<M>;

const { Agent } = await load<typeof import('../../../../src/runner/agent/agent.js')>('runner/agent/agent.js');
const { withFoundTools } = await load<typeof import('../../../../src/runner/agent/found-tools.js')>(
  'runner/agent/found-tools.js',
);
const { readSettings } =
  await load<typeof import('../../../../src/runner/agent/settings.js')>('runner/agent/settings.js');
const { runUntilSignal } = await load<typeof import('../../../../src/runner/agent/run-until-signal.js')>(
  'runner/agent/run-until-signal.js',
);
const { Terminal } =
  await load<typeof import('../../../../src/runner/agent/terminal.js')>('runner/agent/terminal.js');
const { NoSandbox } =
  await load<typeof import('../../../../src/runner/sandbox/none.js')>('runner/sandbox/none.js');
const { runnerParts } = await load<typeof import('../../../../src/commands/runner/runner-parts.js')>(
  'commands/runner/runner-parts.js',
);

const settings = await withFoundTools(readSettings(process.env, { trustRepositories: true, verbose: true }));
const parts = { ...runnerParts(settings), findSandbox: () => Promise.resolve(new NoSandbox(settings)) };
const terminal = new Terminal();
process.exit(await runUntilSignal(new Agent(settings, parts, terminal), terminal));
