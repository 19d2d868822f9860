import type { Reply } from '../../../stand-in/reply.ts';
import type { ConnectRequest } from '../handle.ts';
import * as builds from './attach-build.ts';
import * as phased from './phased-releases.ts';
import * as items from './review-items.ts';
import * as submissions from './review-submissions.ts';
import type { STORE_ROUTES } from './store-routes.ts';
import * as versions from './store-versions.ts';
import * as localizations from './version-localizations.ts';

/** What each call for the App Store does. @throws AppleError */
export const STORE_HANDLERS: Readonly<Record<keyof typeof STORE_ROUTES, (request: ConnectRequest) => Reply>> =
  {
    appStoreVersions: versions.listStoreVersions,
    appStoreVersion: versions.getStoreVersion,
    createStoreVersion: versions.createStoreVersion,
    updateStoreVersion: versions.updateStoreVersion,
    deleteStoreVersion: versions.deleteStoreVersion,
    versionBuild: builds.getVersionBuild,
    linkedBuild: builds.getLinkedBuild,
    attachBuild: builds.attachBuild,
    buildVersion: builds.getBuildVersion,
    versionLocalizations: localizations.listVersionLocalizations,
    versionLocalization: localizations.getVersionLocalization,
    createVersionLocalization: localizations.createVersionLocalization,
    updateVersionLocalization: localizations.updateVersionLocalization,
    deleteVersionLocalization: localizations.deleteVersionLocalization,
    phasedRelease: phased.getPhasedRelease,
    createPhasedRelease: phased.createPhasedRelease,
    updatePhasedRelease: phased.updatePhasedRelease,
    deletePhasedRelease: phased.deletePhasedRelease,
    releaseVersion: phased.releaseVersion,
    reviewSubmissions: submissions.listReviewSubmissions,
    appReviewSubmissions: submissions.listAppReviewSubmissions,
    createReviewSubmission: submissions.createReviewSubmission,
    reviewSubmission: submissions.getReviewSubmission,
    updateReviewSubmission: submissions.updateReviewSubmission,
    reviewItems: items.listReviewItems,
    addReviewItem: items.addReviewItem,
    updateReviewItem: items.updateReviewItem,
    removeReviewItem: items.removeReviewItem,
  };
