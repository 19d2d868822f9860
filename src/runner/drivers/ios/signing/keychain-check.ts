import type { Check } from '../../../sandbox/check.js';
import { type SigningTools, sweepSigning } from './leftovers.js';

/** Checks that a keychain can be made, unlocked and deleted, and removes what killed builds have left. */
export async function keychainCheck(signingDir: string, tools: SigningTools): Promise<Check> {
  const left = await sweepSigning(signingDir, tools);
  return { name: 'Keychain', status: 'ok', message: left.join(' ') };
}
