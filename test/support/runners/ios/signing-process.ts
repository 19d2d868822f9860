import childProcess from 'node:child_process';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PayloadCertificateDto } from '../../../../src/native-builds/runner-builds/build-payload.dto.js';
import type { SigningPlan } from '../../../../src/runner/drivers/ios/signing/plan/signing-plan.js';

/*
 * Signs as a runner does, in a process of its own: a test can kill it, and its user has a home of its own. Prints the log, then
 * what became of it as JSON. SIGTERM cancels the build; `holds` ends it with the end of the standard input.
 */

/** What it does, as JSON in its first argument. */
export interface SigningTask {
  readonly action: 'sign' | 'sweep' | 'check';
  readonly signingDir: string;
  readonly toolsDir: string | null;
  readonly certificate: PayloadCertificateDto | null;
  readonly plan: SigningPlan | null;
  /** Whether the work ends with the standard input only. */
  readonly holds: boolean;
  /** Builds at the same time. */
  readonly builds: number;
  /** Before which change of a file or call of a program it kills itself; `null`: none. */
  readonly killAt: number | null;
  /** The subcommand that hangs: its deadline is two seconds, and that of the others the usual one. */
  readonly hangs: string | null;
}

const SIGNING = join(import.meta.dirname, '../../../../dist/src/runner/drivers/ios/signing');
const CHANGES = ['writeFile', 'rename', 'rm', 'mkdir', 'link'] as const;

const task = JSON.parse(process.argv[2]!) as SigningTask;
const { signingDir, toolsDir } = task;
const controller = new AbortController();
process.on('SIGTERM', () => controller.abort(new Error('canceled')));
if (task.killAt !== null) killBefore(task.killAt);

const result = await act().then(
  (value) => ({ value }),
  (error: Error) => ({ error: error.message }),
);
print(JSON.stringify(result));

async function act(): Promise<unknown> {
  if (task.action === 'sweep') {
    const { sweepSigning } = (await built(
      'leftovers',
    )) as typeof import('../../../../src/runner/drivers/ios/signing/leftovers.js');
    return sweepSigning(signingDir, { toolsDir });
  }
  if (task.action === 'check') {
    const { keychainCheck } = (await built(
      'keychain-check',
    )) as typeof import('../../../../src/runner/drivers/ios/signing/keychain-check.js');
    return keychainCheck(signingDir, { toolsDir });
  }
  return Promise.all(Array.from({ length: task.builds }, sign));
}

async function sign(): Promise<unknown> {
  const { withSigning } = (await built(
    'with-signing',
  )) as typeof import('../../../../src/runner/drivers/ios/signing/with-signing.js');
  const { SecurityTool } = (await built(
    'keychain/security-tool',
  )) as typeof import('../../../../src/runner/drivers/ios/signing/keychain/security-tool.js');
  const run = {
    payload: { certificate: task.certificate },
    log: { line: print, write: () => undefined },
    signal: controller.signal,
  } as unknown as Parameters<typeof withSigning>[0];
  const usual = new SecurityTool({ toolsDir });
  const hasty = new SecurityTool({ toolsDir }, 2000);
  const call: typeof usual.run = (args, signal) => (args[0] === task.hangs ? hasty : usual).run(args, signal);
  const security = Object.assign(new SecurityTool({ toolsDir }), { run: call });
  return withSigning(
    run,
    { signingDir, toolsDir },
    task.plan!,
    async (open) => {
      print(`open ${JSON.stringify(open)}`);
      if (task.holds) {
        process.stdin.resume();
        await once(process.stdin, 'end', { signal: controller.signal });
      }
      print('closing');
      return open;
    },
    security,
  );
}

function built(name: string): Promise<unknown> {
  return import(pathToFileURL(join(SIGNING, `${name}.js`)).href);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Kills this process before its n-th change of a file or call of a program, as a machine without power does. */
function killBefore(position: number): void {
  let count = 0;
  const step = (): void => {
    if (++count === position) process.kill(process.pid, 'SIGKILL');
  };
  for (const name of CHANGES) {
    const original = promises[name] as (...args: unknown[]) => Promise<unknown>;
    Object.assign(promises, {
      [name]: (...args: unknown[]) => {
        step();
        return original(...args);
      },
    });
  }
  const { spawn } = childProcess;
  Object.assign(childProcess, {
    spawn: (...args: unknown[]) => {
      step();
      return (spawn as (...rest: unknown[]) => unknown)(...args);
    },
  });
  syncBuiltinESMExports();
}
