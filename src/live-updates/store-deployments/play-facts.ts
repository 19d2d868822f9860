import type { SubmittedFacts } from '../../app-submissions/submissions/submission-creation.service.js';
import type { ArtifactDetails } from '../../native-builds/artifact-details/artifact-details.entity.js';
import { unfitBuild } from './unfit-build.js';
import type { PlayDestination } from './submittable-destination.js';

/** The subject of the key that Android's tools make for debug builds. */
const DEBUG_SUBJECT = /(^|[,+]\s*)CN=Android Debug\s*($|[,+])/i;
/** Google Play takes no higher version code. */
const MAX_VERSION_CODE = 2_100_000_000;

/** What goes to Google Play. */
export type PlayFacts = SubmittedFacts & { readonly signerSha256: string };

/** @throws InvalidRequestError when the file is unsigned, for debugging, of another app, or has no version code */
export function requirePlayFacts(
  type: string,
  details: ArtifactDetails,
  { androidPackageName }: PlayDestination,
): PlayFacts {
  const { packageName, versionName, versionCode, signer, debuggable } = details;
  if (packageName !== androidPackageName) {
    throw unfitBuild(
      `of ${androidPackageName}, the androidPackageName of the destination: its ${type} is of ${packageName}`,
    );
  }
  if (signer === null) throw unfitBuild(`whose ${type} is signed: sign it with your upload key`);
  if (debuggable) throw unfitBuild(`whose ${type} is not debuggable: make a release build`);
  if (DEBUG_SUBJECT.test(signer.subject ?? '')) {
    throw unfitBuild(`whose ${type} is not signed with a debug key: sign it with your upload key`);
  }
  if (signer.sha256 === null) throw unfitBuild(`whose ${type} has a readable certificate: sign it again`);
  if (versionCode === null || !/^[1-9]\d{0,9}$/.test(versionCode) || Number(versionCode) > MAX_VERSION_CODE) {
    throw unfitBuild(
      `whose ${type} has a versionCode from 1 to ${MAX_VERSION_CODE.toLocaleString('en')}: it has ${versionCode ?? 'none'}`,
    );
  }
  const signerSha256 = signer.sha256.replaceAll(':', '').toLowerCase();
  const notOfApple = { usesNonExemptEncryption: null, applePlatform: null };
  return { packageName, versionName, versionCode, signerSha256, ...notOfApple };
}

/**
 * @param last of the certificate that signed the last release; `null`: there was none
 * @throws InvalidRequestError when the file is signed with another key
 */
export function requireSameSigner(type: string, signerSha256: string, last: string | null): void {
  if (last === null || last === signerSha256) return;
  throw unfitBuild(
    `whose ${type} is signed with the key of the last release (SHA-256 ${fingerprint(last)}, not ${fingerprint(signerSha256)}): ` +
      'sign it with that key, or set acceptNewSigner to true if you have reset the upload key in the Play Console',
  );
}

/** Pairs of upper-case digits with colons, as the Play Console and keytool show it. */
function fingerprint(sha256: string): string {
  return sha256.toUpperCase().match(/../g)?.join(':') ?? sha256;
}
