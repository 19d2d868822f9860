import type { ApplePlatform } from '../../../../common/apple-platforms.js';
import type { UploadOperation } from '../upload-operation.js';

/** An app of the team whose key asks. */
export interface AppleApp {
  /** Digits: `appleAppId` of a destination. */
  readonly id: string;
  readonly name: string;
  readonly bundleId: string;
  /** `null`: Apple does not say. */
  readonly primaryLocale: string | null;
}

/** A group of TestFlight. */
export interface BetaGroup {
  readonly id: string;
  readonly name: string;
  readonly isInternal: boolean;
  /** It gets every build automatically, and accepts none that is sent to it. */
  readonly hasAccessToAllBuilds: boolean;
}

export interface StoreVersion {
  readonly versionString: string;
  /** `appVersionState`, such as `READY_FOR_DISTRIBUTION`; `null`: Apple does not say. */
  readonly state: string | null;
}

/** Version and build number, as the ipa has them. */
export interface BuildVersion {
  /** CFBundleShortVersionString. */
  readonly version: string;
  /** CFBundleVersion. */
  readonly buildNumber: string;
}

/** A build that Apple has made of an upload. */
export interface AppleBuild {
  readonly id: string;
  /** `null`: Apple does not say. */
  readonly version: string | null;
  readonly buildNumber: string | null;
  /** `PROCESSING`, `VALID`, `INVALID` or `FAILED`; whatever Apple says. */
  readonly processingState: string | null;
  readonly expired: boolean;
  /** `null`: not answered. */
  readonly usesNonExemptEncryption: boolean | null;
}

/** What Apple says about an upload. */
export interface AppleMessage {
  /** Such as `90189`; `null`: none. */
  readonly code: string | null;
  readonly description: string | null;
}

export interface BuildUpload {
  readonly id: string;
  readonly version: string | null;
  readonly buildNumber: string | null;
  /** `AWAITING_UPLOAD`, `PROCESSING`, `FAILED` or `COMPLETE`; whatever Apple says. */
  readonly state: string | null;
  readonly errors: readonly AppleMessage[];
  readonly warnings: readonly AppleMessage[];
  /** `null`: not yet, or only in the list of builds. */
  readonly buildId: string | null;
}

export interface BuildUploadFile {
  readonly id: string;
  /** Of its delivery: `AWAITING_UPLOAD`, `UPLOAD_COMPLETE`, `COMPLETE` or `FAILED`; whatever Apple says. */
  readonly state: string | null;
  readonly errors: readonly AppleMessage[];
  /** In the order of the file, which they cover; none after the upload. */
  readonly operations: readonly UploadOperation[];
}

/** Where a build is in TestFlight, such as `MISSING_EXPORT_COMPLIANCE`; `null`: Apple does not say. */
export interface BuildBetaDetail {
  readonly internalState: string | null;
  readonly externalState: string | null;
}

/** The notes for testers in one language. */
export interface BetaLocalization {
  readonly id: string;
  readonly locale: string;
  readonly whatsNew: string | null;
}

/** As App Store Connect calls platforms. */
export const APPLE_PLATFORM_NAMES: Readonly<Record<ApplePlatform, string>> = {
  ios: 'IOS',
  tvos: 'TV_OS',
  visionos: 'VISION_OS',
};
