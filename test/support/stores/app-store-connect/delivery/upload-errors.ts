import type { VersionState } from '../state/app-store/store-version.ts';
import type { AppleApp, Platform } from '../state/connect-state.ts';
import { type BuildUpload, compareVersions, normalized, type StateDetail } from '../state/uploads.ts';
import type { UploadedIpa } from './ipa-file.ts';

/** Approved, whether it is for sale or not: a train closes at approval, not at release. */
const APPROVED: readonly VersionState[] = [
  'ACCEPTED',
  'PENDING_APPLE_RELEASE',
  'PENDING_DEVELOPER_RELEASE',
  'PROCESSING_FOR_DISTRIBUTION',
  'READY_FOR_DISTRIBUTION',
  'REPLACED_WITH_NEW_VERSION',
];

type Words = (upload: Pick<BuildUpload, 'app' | 'version' | 'buildNumber'>) => string;

/**
 * What Apple finds wrong with a delivered file, by its code. The codes: `uploadToAsc.ts` of expo/eas-cli, and logs in
 * public issues, such as keymanapp/keyman 5533, 10199 and 12996; the sentences follow the logs.
 */
export const UPLOAD_ERRORS = {
  90034: () =>
    'Missing or invalid signature. The bundle is not signed using an Apple submission certificate.',
  90054: ({ app }) =>
    `This bundle is invalid - The bundle identifier cannot be changed from the current value, '${app.bundleId}'. If you want to change your bundle identifier, create a new application in App Store Connect.`,
  90055: ({ app }) =>
    `This bundle is invalid. The bundle identifier cannot be changed from the current value, '${app.bundleId}'.`,
  90062: ({ version }) =>
    `This bundle is invalid. The value for key CFBundleShortVersionString [${version}] in the Info.plist file must contain a higher version than that of the previously approved version.`,
  90161: () => 'Invalid Provisioning Profile. The provisioning profile included in the bundle is invalid.',
  90174: () =>
    'Missing Provisioning Profile. Apps must contain a provisioning profile in a file named embedded.mobileprovision.',
  90186: ({ version }) =>
    `Invalid Pre-Release Train. The train version '${version}' is closed for new build submissions.`,
  90189: ({ version, buildNumber }) =>
    `Redundant Binary Upload. You've already uploaded a build with build number '${buildNumber}' for version number '${version}'.`,
  90473: ({ version, buildNumber }) =>
    `CFBundleVersion Mismatch. The Info.plist file does not have the version '${version}' and the build number '${buildNumber}' of the upload.`,
  90478: ({ version }) =>
    `Invalid Version. The build with the version “${version}” can’t be imported because a later version has been closed for new build submissions. Choose a different version number.`,
  90683: () =>
    'Missing purpose string in Info.plist. The Info.plist file for the “App.app” bundle should contain a NSCameraUsageDescription key with a user-facing purpose string.',
  90725: () =>
    'SDK version issue. This app was built with the iOS 17.5 SDK. All iOS and iPadOS apps must be built with the iOS 26 SDK or later, included in Xcode 26 or later, in order to be uploaded to App Store Connect or submitted for distribution.',
} satisfies Record<number, Words>;

export type UploadErrorCode = keyof typeof UPLOAD_ERRORS;

export function uploadError(code: UploadErrorCode, upload: Parameters<Words>[0]): StateDetail {
  return { code: String(code), description: (UPLOAD_ERRORS[code] as Words)(upload) };
}

/** What is wrong with an ipa. @param ipa `null`: the file is none */
export function findErrors(upload: BuildUpload, ipa: UploadedIpa | null): StateDetail[] {
  const { app, platform, version, buildNumber } = upload;
  // What a file without an app is refused with is not known.
  if (ipa === null) return [uploadError(90034, upload)];
  const codes: UploadErrorCode[] = [];
  if (ipa.bundleId !== app.bundleId) codes.push(90054, 90055);
  if (ipa.profile !== 'app-store') codes.push(ipa.profile === null ? 90174 : 90161);
  const isOther =
    ipa.platform !== platform ||
    normalized(ipa.version) !== normalized(version) ||
    normalized(ipa.buildNumber) !== normalized(buildNumber);
  if (isOther) codes.push(90473);
  codes.push(...trainErrors(app, platform, version));
  const isSame = (one: Pick<BuildUpload, 'platform' | 'version' | 'buildNumber'>): boolean =>
    one.platform === platform &&
    normalized(one.version) === normalized(version) &&
    normalized(one.buildNumber) === normalized(buildNumber);
  if (app.builds.some(isSame)) codes.push(90189);
  return codes.map((code) => uploadError(code, upload));
}

function trainErrors({ versions }: AppleApp, platform: Platform, version: string): UploadErrorCode[] {
  const approved = versions.filter((one) => one.platform === platform && APPROVED.includes(one.state));
  const distances = approved.map(({ versionString }) => compareVersions(version, versionString));
  if (distances.some((distance) => distance === 0)) return [90186, 90062];
  return distances.some((distance) => distance < 0) ? [90478, 90062] : [];
}
