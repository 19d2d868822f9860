import type { SubmittedFacts } from '../../app-submissions/submissions/submission-creation.service.js';
import { applePlatforms } from '../../common/apple-platforms.js';
import type {
  ArtifactDetails,
  StoredSigner,
} from '../../native-builds/artifact-details/artifact-details.entity.js';
import type { AppleDestination } from './submittable-destination.js';
import { unfitBuild } from './unfit-build.js';
import type { ProfileType } from '../../common/provisioning-profiles.js';

/** What an app cannot be uploaded with, and why. */
const OTHERS: Readonly<Record<Exclude<ProfileType, 'app-store'>, string>> = {
  development: 'is for development: export the archive again for App Store Connect',
  'ad-hoc': 'is for registered devices (ad hoc): export the archive again for App Store Connect',
  enterprise:
    'is for apps of an enterprise, which App Store Connect does not take: sign with a team of the Apple Developer Program',
};

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

/**
 * @param signer of an ipa; `null`: it has no provisioning profile
 * @param bundleId of the app
 * @param teamId that the profile must have; `null`: any
 * @throws InvalidRequestError when App Store Connect would refuse an app with this profile
 */
function requireAppStoreProfile(signer: StoredSigner | null, bundleId: string, teamId: string | null): void {
  const { profileType = null } = signer ?? {};
  if (signer === null || profileType === null) {
    throw unsigned('has none: export the archive again for App Store Connect');
  }
  if (profileType !== 'app-store') throw unsigned(OTHERS[profileType]);
  if (signer.expiresAt !== null && Date.parse(signer.expiresAt) <= Date.now()) {
    throw unfitBuild(
      `whose provisioning profile has not expired: it expired on ${signer.expiresAt.slice(0, 10)}, so make another one and sign again`,
    );
  }
  if (teamId !== null && signer.teamId !== teamId) {
    throw unfitBuild(
      `of the team ${teamId}, the appleTeamId of the destination: its provisioning profile is of ${signer.teamId ?? 'none'}`,
    );
  }
  const { profileBundleId = null } = signer;
  if (profileBundleId !== null && !covers(profileBundleId, bundleId)) {
    throw unfitBuild(
      `whose provisioning profile is for its bundle id ${bundleId}: it is for ${profileBundleId}, so sign with a profile of this app`,
    );
  }
}

/** A profile for `com.example.*` is for all apps whose bundle id begins with `com.example.`. */
function covers(profileBundleId: string, bundleId: string): boolean {
  if (!profileBundleId.endsWith('*')) return profileBundleId === bundleId;
  return bundleId.startsWith(profileBundleId.slice(0, -1));
}

function unsigned(what: string): Error {
  return unfitBuild(`whose ipa has a provisioning profile for the App Store: it ${what}`);
}
