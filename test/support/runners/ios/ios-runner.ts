import { join } from 'node:path';
import type { TestApp } from '../../../builders/app.js';
import { testEnvironment } from '../../../setup/test-environment.js';
import type { Cli } from '../../processes/cli.js';
import { temporaryFolder } from '../../processes/temporary-folders.js';
import { RunnerProcess, type RunnerStart } from '../runner-process.js';
import { registerRunner } from '../start-runner.js';
import { type IosCertificate, P12_PASSWORD } from './ios-certificates.js';
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

/** The official CLI uploads an identity with its profiles. */
export async function uploadIosCertificate(
  cli: Cli,
  app: TestApp,
  name: string,
  { p12, profiles }: IosCertificate,
): Promise<void> {
  await cli.write('identity.p12', p12);
  const paths = profiles.map((_profile, index) => `profile-${index}.mobileprovision`);
  for (const [index, path] of paths.entries()) await cli.write(path, profiles[index]!);
  const options = ['--app-id', app.id, '--platform', 'ios', '--name', name, '--yes'];
  const file = ['--file', 'identity.p12', '--password', P12_PASSWORD];
  const linked = paths.flatMap((path) => ['--provisioning-profile', path]);
  await cli.succeed('apps:certificates:create', ...options, ...file, ...linked);
}
