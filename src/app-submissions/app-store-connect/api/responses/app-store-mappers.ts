import type { JsonValue } from '../../../../common/json-value.js';
import { idOf } from './apple-mappers.js';
import type {
  AppVersion,
  PhasedRelease,
  ReviewItem,
  ReviewSubmission,
  VersionLocalization,
} from './app-store-resources.js';

/** @param included where its phased release is @throws StoreRefusal when it has no usable id */
export function toVersion(resource: JsonValue, included: readonly JsonValue[]): AppVersion {
  const attributes = resource.get('attributes');
  const phasedId = relatedId(resource, 'appStoreVersionPhasedRelease');
  const phased = included.find(
    (other) =>
      other.get('type').string === 'appStoreVersionPhasedReleases' && other.get('id').string === phasedId,
  );
  return {
    id: idOf(resource),
    versionString: attributes.get('versionString').text ?? '',
    state: attributes.get('appVersionState').text,
    releaseType: attributes.get('releaseType').text,
    earliestReleaseDate: dateOf(attributes.get('earliestReleaseDate')),
    buildId: relatedId(resource, 'build'),
    phasedRelease: phased === undefined ? null : toPhasedRelease(phased),
  };
}

export function toPhasedRelease(resource: JsonValue): PhasedRelease {
  const day = Number(resource.get('attributes', 'currentDayNumber').text ?? Number.NaN);
  return {
    id: idOf(resource),
    state: resource.get('attributes', 'phasedReleaseState').text,
    dayNumber: Number.isInteger(day) && day > 0 ? day : null,
  };
}

export function toVersionLocalization(resource: JsonValue): VersionLocalization {
  return {
    id: idOf(resource),
    locale: resource.get('attributes', 'locale').exactText ?? '',
    whatsNew: resource.get('attributes', 'whatsNew').longText,
  };
}

export function toReviewSubmission(resource: JsonValue): ReviewSubmission {
  return {
    id: idOf(resource),
    state: resource.get('attributes', 'state').text,
    versionId: relatedId(resource, 'appStoreVersionForReview'),
  };
}

export function toReviewItem(resource: JsonValue): ReviewItem {
  return { id: idOf(resource), versionId: relatedId(resource, 'appStoreVersion') };
}

/** `null`: Apple names none. */
function relatedId(resource: JsonValue, name: string): string | null {
  const data = resource.get('relationships', name, 'data');
  return data.isObject ? idOf(data) : null;
}

function dateOf(value: JsonValue): Date | null {
  const time = Date.parse(value.string ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}
