import type { PayloadCertificateDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { type BuildRun, StepError } from '../../../steps/build-run.js';
import type { SignableArtifact, SigningTools } from './signing-tools.js';

/**
 * Signs a package with the certificate of the build, and verifies the signature. The signed package takes the place of the
 * other.
 *
 * @throws StepError when it cannot be signed
 * @throws the reason of the signal
 */
export function signArtifact(
  _run: BuildRun,
  { type }: SignableArtifact,
  _certificate: PayloadCertificateDto,
  _tools: SigningTools,
): Promise<void> {
  return Promise.reject(new StepError('sign', `This runner does not sign an ${type} yet.`));
}
