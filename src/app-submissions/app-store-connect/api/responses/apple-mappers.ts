import type { JsonValue } from '../../../../common/json-value.js';
import type {
  AppleApp,
  AppleBuild,
  AppleMessage,
  BetaGroup,
  BetaLocalization,
  BuildUpload,
  BuildUploadFile,
} from './apple-resources.js';
import { isAppleId } from './apple-id.js';
import { unusable } from '../../refusals/answer-refusals.js';
import { toOperations } from './to-operations.js';

/** More than these are not read. */
const MAX_MESSAGES = 100;

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
