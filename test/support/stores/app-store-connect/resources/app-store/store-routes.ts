import { SUBMISSION_STATES } from '../../state/app-store/review-submission.ts';
import { VERSION_STATES } from '../../state/app-store/store-version.ts';
import { PLATFORMS } from '../../state/connect-state.ts';
import type { QuerySpec } from '../query.ts';

const ID = '([^/]+)';
const VERSION_QUERY = {
  fields: [
    'appStoreVersions',
    'apps',
    'builds',
    'appStoreVersionLocalizations',
    'appStoreVersionPhasedReleases',
  ],
  include: ['app', 'appStoreVersionLocalizations', 'build', 'appStoreVersionPhasedRelease'],
  limits: ['appStoreVersionLocalizations'],
} as const;
const SUBMISSION_QUERY = {
  fields: ['reviewSubmissions', 'apps', 'reviewSubmissionItems', 'appStoreVersions'],
  include: ['app', 'items', 'appStoreVersionForReview'],
  limits: ['items'],
} as const;
const LOCALIZATION_QUERY = {
  fields: ['appStoreVersionLocalizations', 'appStoreVersions'],
  include: ['appStoreVersion'],
} as const;

/** The calls for the App Store: see `ROUTES`. No list of them takes `sort`. */
export const STORE_ROUTES = {
  appStoreVersions: [
    'GET',
    `/v1/apps/${ID}/appStoreVersions`,
    {
      ...VERSION_QUERY,
      filters: {
        platform: PLATFORMS,
        versionString: null,
        appStoreState: null,
        appVersionState: VERSION_STATES,
        id: null,
      },
      isList: true,
    },
  ],
  appStoreVersion: ['GET', `/v1/appStoreVersions/${ID}`, VERSION_QUERY],
  createStoreVersion: ['POST', '/v1/appStoreVersions', {}],
  updateStoreVersion: ['PATCH', `/v1/appStoreVersions/${ID}`, {}],
  deleteStoreVersion: ['DELETE', `/v1/appStoreVersions/${ID}`, {}],
  versionBuild: ['GET', `/v1/appStoreVersions/${ID}/build`, { fields: ['builds'] }],
  linkedBuild: ['GET', `/v1/appStoreVersions/${ID}/relationships/build`, {}],
  attachBuild: ['PATCH', `/v1/appStoreVersions/${ID}/relationships/build`, {}],
  buildVersion: ['GET', `/v1/builds/${ID}/appStoreVersion`, { fields: ['appStoreVersions'] }],
  versionLocalizations: [
    'GET',
    `/v1/appStoreVersions/${ID}/appStoreVersionLocalizations`,
    { ...LOCALIZATION_QUERY, filters: { locale: null }, isList: true },
  ],
  versionLocalization: ['GET', `/v1/appStoreVersionLocalizations/${ID}`, LOCALIZATION_QUERY],
  createVersionLocalization: ['POST', '/v1/appStoreVersionLocalizations', {}],
  updateVersionLocalization: ['PATCH', `/v1/appStoreVersionLocalizations/${ID}`, {}],
  deleteVersionLocalization: ['DELETE', `/v1/appStoreVersionLocalizations/${ID}`, {}],
  phasedRelease: [
    'GET',
    `/v1/appStoreVersions/${ID}/appStoreVersionPhasedRelease`,
    { fields: ['appStoreVersionPhasedReleases'] },
  ],
  createPhasedRelease: ['POST', '/v1/appStoreVersionPhasedReleases', {}],
  updatePhasedRelease: ['PATCH', `/v1/appStoreVersionPhasedReleases/${ID}`, {}],
  deletePhasedRelease: ['DELETE', `/v1/appStoreVersionPhasedReleases/${ID}`, {}],
  releaseVersion: ['POST', '/v1/appStoreVersionReleaseRequests', {}],
  reviewSubmissions: [
    'GET',
    '/v1/reviewSubmissions',
    {
      ...SUBMISSION_QUERY,
      filters: { platform: PLATFORMS, state: SUBMISSION_STATES, app: null },
      required: ['app'],
      isList: true,
    },
  ],
  appReviewSubmissions: [
    'GET',
    `/v1/apps/${ID}/reviewSubmissions`,
    { ...SUBMISSION_QUERY, filters: { platform: PLATFORMS, state: SUBMISSION_STATES }, isList: true },
  ],
  createReviewSubmission: ['POST', '/v1/reviewSubmissions', {}],
  reviewSubmission: ['GET', `/v1/reviewSubmissions/${ID}`, SUBMISSION_QUERY],
  updateReviewSubmission: ['PATCH', `/v1/reviewSubmissions/${ID}`, {}],
  reviewItems: [
    'GET',
    `/v1/reviewSubmissions/${ID}/items`,
    { fields: ['reviewSubmissionItems', 'appStoreVersions'], include: ['appStoreVersion'], isList: true },
  ],
  addReviewItem: ['POST', '/v1/reviewSubmissionItems', {}],
  updateReviewItem: ['PATCH', `/v1/reviewSubmissionItems/${ID}`, {}],
  removeReviewItem: ['DELETE', `/v1/reviewSubmissionItems/${ID}`, {}],
} as const satisfies Record<string, readonly [string, string, QuerySpec]>;
