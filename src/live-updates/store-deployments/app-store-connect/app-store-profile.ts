import type { ProfileType } from '../../../common/provisioning-profiles.js';
import type { StoredSigner } from '../../../native-builds/artifact-details/artifact-details.entity.js';
import { unfitBuild } from '../unfit-build.js';

/** What an app cannot be uploaded with, and why. */
const OTHERS: Readonly<Record<Exclude<ProfileType, 'app-store'>, string>> = {
  development: 'is for development: export the archive again for App Store Connect',
  'ad-hoc': 'is for registered devices (ad hoc): export the archive again for App Store Connect',
  enterprise:
    'is for apps of an enterprise, which App Store Connect does not take: sign with a team of the Apple Developer Program',
};

/**
 * @param signer of an ipa; `null`: it has no provisioning profile
 * @param bundleId of the app
 * @param teamId that the profile must have; `null`: any
 * @throws InvalidRequestError when App Store Connect would refuse an app with this profile
 */
export function requireAppStoreProfile(
  signer: StoredSigner | null,
  bundleId: string,
  teamId: string | null,
): void {
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
