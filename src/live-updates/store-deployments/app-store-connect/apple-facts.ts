import type { SubmittedFacts } from '../../../app-submissions/submissions/new-submission.js';
import { applePlatforms } from '../../../common/apple-platforms.js';
import type { ArtifactDetails } from '../../../native-builds/artifact-details/artifact-details.entity.js';
import type { AppleDestination } from '../submittable-destination.js';
import { unfitBuild } from '../unfit-build.js';
import { requireAppStoreProfile } from './app-store-profile.js';

/** Apple's technical note 2420: at most three numbers, and 18 characters. */
const VERSION = /^(?=.{1,18}$)\d+(\.\d+){0,2}$/;

/**
 * @throws InvalidRequestError when the ipa is not signed for the App Store by the team of the destination, has no version
 *   that Apple takes, is for no platform that is known, or says nothing about encryption, as the destination
 */
export function requireAppleFacts(details: ArtifactDetails, destination: AppleDestination): SubmittedFacts {
  const { packageName, applePlatform, signer } = details;
  requireAppStoreProfile(signer, packageName, destination.appleTeamId);
  const versionName = versionOf('CFBundleShortVersionString', details.versionName);
  const versionCode = versionOf('CFBundleVersion', details.versionCode);
  if (applePlatform === null) {
    throw unfitBuild(
      `whose ipa is for ${applePlatforms.join(', ')}, as DTPlatformName in its Info.plist says: if it is, an earlier version of Slipway has read it, so import it again`,
    );
  }
  return {
    packageName,
    versionName,
    versionCode,
    signerSha256: signer?.sha256?.replaceAll(':', '').toLowerCase() ?? null,
    applePlatform,
    usesNonExemptEncryption: complianceOf(details, destination),
  };
}

function versionOf(key: string, version: string | null): string {
  if (version !== null && VERSION.test(version)) return version;
  throw unfitBuild(
    `whose ipa has one to three numbers with dots between them as ${key}, at most 18 characters: it has ${version?.slice(0, 40) ?? 'none'}`,
  );
}

/** The file wins: Apple takes its answer when it processes the build. */
function complianceOf(
  { usesNonExemptEncryption }: ArtifactDetails,
  { appleUsesNonExemptEncryption }: AppleDestination,
): boolean {
  const answer = usesNonExemptEncryption ?? appleUsesNonExemptEncryption;
  if (answer !== null) return answer;
  throw unfitBuild(
    'that says whether it uses encryption that is not exempt from export rules: set the Boolean ITSAppUsesNonExemptEncryption in its Info.plist, or appleUsesNonExemptEncryption of the destination',
  );
}
