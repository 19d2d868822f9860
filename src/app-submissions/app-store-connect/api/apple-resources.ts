import type { ApplePlatform } from '../../../common/apple-platforms.js';
import type { JsonValue } from '../../../common/json-value.js';
import { type AppleMessage, unusable } from '../refusals/apple-error.js';
import { toOperations, type UploadOperation } from './upload-operations.js';

/** More than these are not read. */
const MAX_MESSAGES = 100;

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

/** Characters of ids: Apple's are digits, UUIDs and the like. They become parts of paths. */
export function isAppleId(id: string): boolean {
  return /^[\w-][\w.~=+-]{0,199}$/.test(id);
}

/** The id of a resource. @throws StoreRefusal when it has none that a path can hold */
export function idOf(resource: JsonValue): string {
  const id = resource.get('id').string ?? '';
  if (!isAppleId(id)) throw unusable(200, '');
  return id;
}

export function toApp(resource: JsonValue): AppleApp {
  const attributes = resource.get('attributes');
  return {
    id: idOf(resource),
    name: attributes.get('name').text ?? '',
    bundleId: attributes.get('bundleId').exactText ?? '',
    primaryLocale: attributes.get('primaryLocale').exactText,
  };
}

export function toBetaGroup(resource: JsonValue): BetaGroup {
  const attributes = resource.get('attributes');
  return {
    id: idOf(resource),
    name: attributes.get('name').exactText ?? '',
    isInternal: attributes.get('isInternalGroup').isTrue,
    hasAccessToAllBuilds: attributes.get('hasAccessToAllBuilds').isTrue,
  };
}

/** @param included where its version is */
export function toBuild(resource: JsonValue, included: readonly JsonValue[]): AppleBuild {
  const attributes = resource.get('attributes');
  const trainId = resource.get('relationships', 'preReleaseVersion', 'data', 'id').string;
  const train = included.find(
    (other) => other.get('type').string === 'preReleaseVersions' && other.get('id').string === trainId,
  );
  const uses = attributes.get('usesNonExemptEncryption');
  return {
    id: idOf(resource),
    version: train?.get('attributes', 'version').text ?? null,
    buildNumber: attributes.get('version').text,
    processingState: attributes.get('processingState').text,
    expired: attributes.get('expired').isTrue,
    usesNonExemptEncryption: uses.isTrue ? true : uses.isFalse ? false : null,
  };
}

export function toBuildUpload(resource: JsonValue): BuildUpload {
  const attributes = resource.get('attributes');
  const state = attributes.get('state');
  const build = resource.get('relationships', 'build', 'data');
  return {
    id: idOf(resource),
    version: attributes.get('cfBundleShortVersionString').text,
    buildNumber: attributes.get('cfBundleVersion').text,
    state: state.get('state').text,
    errors: messagesOf(state.get('errors')),
    warnings: messagesOf(state.get('warnings')),
    buildId: build.isObject ? idOf(build) : null,
  };
}

/**
 * @param mayCall whether an address of an answer may be called
 * @param sizeInBytes of the file; absent: as Apple says
 * @throws StoreRefusal when its operations are not usable
 */
export function toBuildUploadFile(
  resource: JsonValue,
  mayCall: (url: URL) => boolean,
  sizeInBytes?: number,
): BuildUploadFile {
  const attributes = resource.get('attributes');
  const delivery = attributes.get('assetDeliveryState');
  const said = attributes.get('fileSize').text ?? '';
  const size = sizeInBytes ?? (/^\d{1,15}$/.test(said) ? Number(said) : null);
  return {
    id: idOf(resource),
    state: delivery.get('state').text,
    errors: messagesOf(delivery.get('errors')),
    operations: toOperations(attributes.get('uploadOperations'), size, mayCall),
  };
}

export function toBetaLocalization(resource: JsonValue): BetaLocalization {
  const attributes = resource.get('attributes');
  return {
    id: idOf(resource),
    locale: attributes.get('locale').exactText ?? '',
    whatsNew: attributes.get('whatsNew').longText,
  };
}

function messagesOf(list: JsonValue): AppleMessage[] {
  return list.items
    .slice(0, MAX_MESSAGES)
    .map((item) => ({ code: item.get('code').text, description: item.get('description').text }));
}
