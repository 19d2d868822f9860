import { appendFileSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { commands } from './commands.ts';
import { callsFile, readBehaviour } from './keychain-files.ts';
import { RefusedCall } from './options.ts';

// A stand-in for /usr/bin/security: knows what the runner needs, and keeps everything in the home of the user.

const [name = '', ...args] = process.argv.slice(2);
const home = homedir();
const { hangs, fails } = readBehaviour(home);

if (hangs === name) {
  record(0, null);
  setInterval(() => undefined, 1000);
} else {
  try {
    if (fails === name) throw new RefusedCall(`security: ${name}: An internal error has occurred.`, 36);
    const command = commands.get(name);
    if (command === undefined) throw new RefusedCall(`security: unknown command "${name}"`, 1);
    process.stdout.write(await command(args, home));
    record(0, null);
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
    record(error.exitCode, error.message);
  }
}

function record(exitCode: number, error: string | null): void {
  mkdirSync(dirname(callsFile(home)), { recursive: true });
  appendFileSync(callsFile(home), `${JSON.stringify({ args: [name, ...args], exitCode, error })}\n`);
}
