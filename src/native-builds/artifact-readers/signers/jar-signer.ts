import { TooMuchWorkError } from '../../../common/work-budget.js';
import type { ArtifactSigner } from '../artifact-facts.js';
import type { ArtifactZip } from '../artifact-zip.js';
import { describeCertificate } from './describe-certificate.js';
import { readSignedMessage } from './signed-message.js';

const SIGNATURE = /^META-INF\/[^/]+\.(RSA|DSA|EC)$/i;
const MAX_SIGNATURE_BYTES = 1024 * 1024;

/** Who signed the files of a zip, as `jarsigner` does. @returns `null`: unsigned, or nothing that can be read @throws TooMuchWorkError */
export async function findJarSigner(zip: ArtifactZip): Promise<ArtifactSigner | null> {
  const path = zip.paths().find((candidate) => SIGNATURE.test(candidate));
  if (path === undefined) return null;
  try {
    const { certificates } = readSignedMessage(await zip.read(path, MAX_SIGNATURE_BYTES), zip.work);
    const [certificate] = certificates;
    if (certificate === undefined) return null;
    return {
      scheme: 'v1',
      ...describeCertificate(certificate),
      teamId: null,
      profileType: null,
      profileBundleId: null,
      deviceCount: null,
    };
  } catch (error) {
    if (error instanceof TooMuchWorkError) throw error;
    return null;
  }
}
