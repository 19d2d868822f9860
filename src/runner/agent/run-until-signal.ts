import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { onStopSignal } from '../../common/process/stop-signals.js';
import type { Agent } from './agent.js';
import { exitCodes, RunnerEnd } from './runner-end.js';
import { SettingsError } from './settings-reader.js';
import type { Terminal } from './terminal.js';

/** Signals so close together are one: a terminal and npm both send it. In milliseconds. */
const SAME = 300;
/** How long killing may take, in milliseconds. */
const KILL_FOR = 20_000;

/**
 * Runs a runner until it ends. The first SIGTERM or SIGINT drains it, the second kills its builds.
 *
 * @returns the exit code; after a second signal 128 and its number
 */
export async function runUntilSignal(agent: Agent, terminal: Terminal): Promise<number> {
  let first = 0;
  let second: NodeJS.Signals | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === 0) {
      first = Date.now();
      agent.drain();
    } else if (second === null && Date.now() - first > SAME) {
      second = signal;
      agent.kill();
      void sleep(KILL_FOR, undefined, { ref: false }).then(() => process.exit(codeOf(signal)));
    }
  };
  onStopSignal(onSignal);
  try {
    await agent.run();
    return second === null ? exitCodes.ok : codeOf(second);
  } catch (error) {
    terminal.line(error instanceof Error ? error.message : String(error));
    return exitCodeOf(error);
  }
}

/** The exit code of a runner that ends with an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof SettingsError) return exitCodes.settings;
  return error instanceof RunnerEnd ? error.exitCode : exitCodes.failed;
}

function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
