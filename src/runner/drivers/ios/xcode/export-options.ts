import { build } from 'plist';
import type { ProfileType } from '../../../../common/provisioning-profiles.js';
import { compareVersions } from '../../../steps/tools/xcodes.js';
import type { SigningPlan } from '../signing/plan/signing-plan.js';

/** The first version with the new names of methods, which also knows the old ones and warns about them. */
const NEW_NAMES_SINCE = '15.3';

const METHODS: Readonly<Record<ProfileType, { readonly since: string; readonly before: string }>> = {
  development: { since: 'debugging', before: 'development' },
  'ad-hoc': { since: 'release-testing', before: 'ad-hoc' },
  'app-store': { since: 'app-store-connect', before: 'app-store' },
  enterprise: { since: 'enterprise', before: 'enterprise' },
};

/** How an archive becomes an ipa. */
export interface ExportFacts {
  readonly xcodeVersion: string;
  /** SHA-1 fingerprint of the certificate. */
  readonly identity: string;
  /** The app uses containers of iCloud: then the options say which of their environments it gets. */
  readonly usesCloudContainers: boolean;
}

/** The property list of `-exportOptionsPlist`, as `xcodebuild -help` describes it. */
export function exportOptions(plan: SigningPlan, facts: ExportFacts): string {
  const { since, before } = METHODS[plan.type];
  const isNew = compareVersions(facts.xcodeVersion, NEW_NAMES_SINCE) >= 0;
  return build({
    method: isNew ? since : before,
    destination: 'export',
    signingStyle: 'manual',
    teamID: plan.teamId,
    signingCertificate: facts.identity,
    provisioningProfiles: Object.fromEntries(
      plan.targets.map(({ bundleId, profile }) => [bundleId, profile.uuid]),
    ),
    // The build number stays as it was built.
    ...(plan.type === 'app-store' ? { uploadSymbols: false, manageAppVersionAndBuildNumber: false } : {}),
    ...(facts.usesCloudContainers
      ? { iCloudContainerEnvironment: plan.type === 'development' ? 'Development' : 'Production' }
      : {}),
  });
}
