import type { BuildOptions } from '../../../steps/build-options.js';
import type { BuildRun } from '../../../steps/build-run.js';
import { StepError } from '../../../steps/build-run.js';
import type { SigningPlan } from './plan/signing-plan.js';

/** What a build signs with while `withSigning` runs. */
export interface OpenSigning {
  /** Absolute path of the keychain. */
  readonly keychain: string;
  /** SHA-1 of the certificate, in capital hexadecimal digits. */
  readonly identity: string;
}

/**
 * Does something while the identity of the build is in a keychain of its own, and its profiles are installed. One build of a
 * user at a time. Afterwards everything is removed, also after an error.
 *
 * @throws StepError when the identity cannot be used
 * @throws the reason of the signal
 */
export function withSigning<R>(
  _run: BuildRun,
  _options: Pick<BuildOptions, 'signingDir' | 'toolsDir'>,
  _plan: SigningPlan,
  _work: (open: OpenSigning) => Promise<R>,
): Promise<R> {
  return Promise.reject(new StepError('sign', 'This runner does not sign iOS apps.'));
}
