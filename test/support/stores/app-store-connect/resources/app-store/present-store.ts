import { holderOf, type ReviewItem, type ReviewSubmission } from '../../state/app-store/review-submission.ts';
import type {
  PhasedRelease,
  StoreVersion,
  VersionLocalization,
} from '../../state/app-store/store-version.ts';
import type { Resource } from '../document.ts';
import { toApp, toBuild, toPlainVersion } from '../present.ts';

// The attributes: AvdLee/appstoreconnect-swift-sdk, `Sources/OpenAPI/Generated/Entities`.

export function toStoreVersion(version: StoreVersion): Resource {
  const { app, build, localizations, phasedRelease } = version;
  return {
    ...toPlainVersion(version),
    relationships: {
      app: () => toApp(app),
      appStoreVersionLocalizations: () => localizations.map(toVersionLocalization),
      build: () => (build === null ? null : toBuild(build)),
      appStoreVersionPhasedRelease: () => (phasedRelease === null ? null : toPhasedRelease(phasedRelease)),
    },
  };
}

export function toVersionLocalization(localization: VersionLocalization): Resource {
  const { id, version, locale, whatsNew } = localization;
  const { missing } = version.app;
  return {
    type: 'appStoreVersionLocalizations',
    id,
    attributes: {
      description: missing.has('description') ? null : 'An example.',
      locale,
      keywords: missing.has('keywords') ? null : 'example',
      marketingUrl: null,
      promotionalText: null,
      supportUrl: missing.has('support-url') ? null : 'https://example.com/support',
      whatsNew,
    },
    relationships: { appStoreVersion: () => toPlainVersion(version) },
  };
}

export function toPhasedRelease(phased: PhasedRelease): Resource {
  const { id, state, startDate, totalPauseDuration, currentDayNumber } = phased;
  return {
    type: 'appStoreVersionPhasedReleases',
    id,
    attributes: {
      phasedReleaseState: state,
      startDate: startDate?.toISOString() ?? null,
      totalPauseDuration,
      currentDayNumber,
    },
  };
}

export function toReviewSubmission(submission: ReviewSubmission): Resource {
  const { id, app, platform, state, submittedAt, items } = submission;
  return {
    type: 'reviewSubmissions',
    id,
    attributes: { platform, submittedDate: submittedAt?.toISOString() ?? null, state },
    relationships: {
      app: () => toApp(app),
      items: () => items.map(toReviewItem),
      appStoreVersionForReview: () => {
        const item = items.find((one) => one.state !== 'REMOVED' && holderOf(one.version) === one);
        return item === undefined ? null : toPlainVersion(item.version);
      },
    },
  };
}

export function toReviewItem({ id, version, state }: ReviewItem): Resource {
  return {
    type: 'reviewSubmissionItems',
    id,
    attributes: { state },
    relationships: { appStoreVersion: () => toPlainVersion(version) },
  };
}
