import { join } from 'node:path';
import type { TestApp } from '../../../builders/app.js';
import { testEnvironment } from '../../../setup/test-environment.js';
import { temporaryFolder } from '../../processes/temporary-folders.js';
import { RunnerProcess, type RunnerStart } from '../runner-process.js';
import { registerRunner } from '../start-runner.js';
import type { IosMachine } from './ios-machine.js';

const AGENT = join(import.meta.dirname, 'ios-agent.ts');

/**
 * A runner on a stand-in for a Mac, which finds out for itself that it builds for iOS.
 *
 * @param values that differ, such as the server
 */
export async function startIosRunner(
  app: TestApp,
  machine: IosMachine,
  values: Partial<RunnerStart> = {},
): Promise<RunnerProcess> {
  const runner = await spawnIosRunner(app, machine, values);
  await runner.waitFor(/waits for jobs .* for ios, web,/);
  return runner;
}

/** The same, without waiting for its session. */
export async function spawnIosRunner(
  app: TestApp,
  machine: IosMachine,
  values: Partial<RunnerStart> = {},
): Promise<RunnerProcess> {
  return RunnerProcess.start({
    origin: testEnvironment().origin,
    token: values.token ?? (await registerRunner(app.tenant)),
    dir: values.dir ?? join(await temporaryFolder(), 'runner'),
    main: AGENT,
    args: [],
    ...values,
    env: { ...machine.env, ...values.env },
  });
}
