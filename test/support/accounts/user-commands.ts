import type { Site } from '../../builders/identities.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { type ProgramResult, runProgram } from '../processes/programs.js';

/** Runs `slipway user <name>` for one user. @param env variables of the command */
export function userCommand(
  name: 'create' | 'disable' | 'enable',
  email: string,
  { databaseUrl }: Pick<Site, 'databaseUrl'> = testEnvironment(),
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  return runProgram(`user ${name}`, { databaseUrl }, { args: ['--email', email], env });
}

/** Disables a user, which must succeed. */
export async function disableUser(email: string, site?: Pick<Site, 'databaseUrl'>): Promise<void> {
  const { code, out, err } = await userCommand('disable', email, site);
  if (code !== 0) throw new Error(out + err);
}

/** Ends `disableUser`. */
export async function enableUser(email: string, site?: Pick<Site, 'databaseUrl'>): Promise<void> {
  const { code, out, err } = await userCommand('enable', email, site);
  if (code !== 0) throw new Error(out + err);
}
