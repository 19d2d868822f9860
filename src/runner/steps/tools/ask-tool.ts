import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { findTool, toolPath } from './find-tool.js';

/** What a program needs at most, in milliseconds: the first start of a new Xcode is slow. */
const TIMEOUT = 30_000;
const MAX_BYTES = 64 * 1024;

/**
 * Asks a program of this machine for something short, such as its version.
 *
 * @param toolsDir of `BuildOptions`
 * @param env added to a short environment, which has nothing of the runner's
 * @returns the first line that it prints; `null`: it is not there, fails, or takes too long
 */
export async function askTool(
  name: string,
  args: readonly string[],
  toolsDir: string | null,
  env: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const path = await findTool(name, toolsDir);
  if (path === null) return null;
  try {
    const { stdout } = await promisify(execFile)(path, args, {
      timeout: TIMEOUT,
      maxBuffer: MAX_BYTES,
      env: {
        // Programs of Ruby and stand-ins begin with `#!/usr/bin/env`.
        PATH: [...toolPath(toolsDir), dirname(process.execPath)].join(':'),
        HOME: homedir(),
        LANG: 'en_US.UTF-8',
        ...env,
      },
    });
    return (stdout.split('\n')[0] ?? '').trim().slice(0, 200);
  } catch {
    return null;
  }
}
