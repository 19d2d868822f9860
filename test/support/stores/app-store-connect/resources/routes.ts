import { PLATFORMS } from '../state/connect-state.ts';
import { PROCESSING_STATES, REVIEW_STATES } from '../state/builds.ts';
import { STORE_ROUTES } from './app-store/store-routes.ts';
import type { QuerySpec } from './query.ts';

const ID = '([^/]+)';
const BOOLEANS = ['true', 'false'];
const BUILD_INCLUDES = [
  'preReleaseVersion',
  'betaGroups',
  'betaBuildLocalizations',
  'betaAppReviewSubmission',
  'app',
  'buildBetaDetail',
  'appStoreVersion',
  'buildUpload',
];
const BUILD_FIELDS = [
  'builds',
  'preReleaseVersions',
  'betaGroups',
  'betaBuildLocalizations',
  'betaAppReviewSubmissions',
  'apps',
  'buildBetaDetails',
  'appStoreVersions',
  'buildUploads',
];
const UPLOAD_QUERY = {
  fields: ['buildUploads', 'builds', 'buildUploadFiles'],
  include: ['build', 'assetFile', 'assetDescriptionFile', 'assetSpiFile'],
};

/**
 * The calls that it knows, with what their queries can have: AvdLee/appstoreconnect-swift-sdk,
 * `Sources/OpenAPI/Generated/Paths`. Relationships to resources that it does not have are left out.
 */
export const ROUTES = {
  apps: [
    'GET',
    '/v1/apps',
    {
      filters: { bundleId: null, name: null, sku: null, id: null },
      fields: ['apps'],
      sort: ['name', 'bundleId', 'sku'],
      isList: true,
    },
  ],
  app: ['GET', `/v1/apps/${ID}`, { fields: ['apps'] }],
  appBetaGroups: ['GET', `/v1/apps/${ID}/betaGroups`, { fields: ['betaGroups'], isList: true }],
  appBuildUploads: [
    'GET',
    `/v1/apps/${ID}/buildUploads`,
    {
      ...UPLOAD_QUERY,
      filters: { cfBundleShortVersionString: null, cfBundleVersion: null, platform: PLATFORMS, state: null },
      sort: ['cfBundleVersion', 'uploadedDate'],
      isList: true,
    },
  ],
  appBuilds: ['GET', `/v1/apps/${ID}/builds`, { fields: ['builds'], isList: true }],
  appLocalizations: [
    'GET',
    `/v1/apps/${ID}/betaAppLocalizations`,
    { fields: ['betaAppLocalizations'], isList: true },
  ],
  betaAppLocalizations: [
    'GET',
    '/v1/betaAppLocalizations',
    {
      filters: { app: null, locale: null },
      fields: ['betaAppLocalizations', 'apps'],
      include: ['app'],
      isList: true,
    },
  ],
  createBuildUpload: ['POST', '/v1/buildUploads', {}],
  buildUpload: ['GET', `/v1/buildUploads/${ID}`, UPLOAD_QUERY],
  deleteBuildUpload: ['DELETE', `/v1/buildUploads/${ID}`, {}],
  buildUploadFiles: [
    'GET',
    `/v1/buildUploads/${ID}/buildUploadFiles`,
    { fields: ['buildUploadFiles'], isList: true },
  ],
  createBuildUploadFile: ['POST', '/v1/buildUploadFiles', {}],
  buildUploadFile: ['GET', `/v1/buildUploadFiles/${ID}`, { fields: ['buildUploadFiles'] }],
  commitFile: ['PATCH', `/v1/buildUploadFiles/${ID}`, {}],
  builds: [
    'GET',
    '/v1/builds',
    {
      filters: {
        version: null,
        expired: BOOLEANS,
        processingState: PROCESSING_STATES,
        'betaAppReviewSubmission.betaReviewState': REVIEW_STATES,
        usesNonExemptEncryption: BOOLEANS,
        'preReleaseVersion.version': null,
        'preReleaseVersion.platform': PLATFORMS,
        buildAudienceType: ['INTERNAL_ONLY', 'APP_STORE_ELIGIBLE'],
        app: null,
        betaGroups: null,
        id: null,
      },
      fields: BUILD_FIELDS,
      include: BUILD_INCLUDES,
      limits: ['betaBuildLocalizations', 'betaGroups'],
      sort: ['version', 'uploadedDate', 'preReleaseVersion'],
      isList: true,
    },
  ],
  build: [
    'GET',
    `/v1/builds/${ID}`,
    { fields: BUILD_FIELDS, include: BUILD_INCLUDES, limits: ['betaBuildLocalizations', 'betaGroups'] },
  ],
  updateBuild: ['PATCH', `/v1/builds/${ID}`, {}],
  buildBetaDetail: [
    'GET',
    `/v1/builds/${ID}/buildBetaDetail`,
    { fields: ['buildBetaDetails', 'builds'], include: ['build'] },
  ],
  buildLocalizations: [
    'GET',
    `/v1/builds/${ID}/betaBuildLocalizations`,
    { fields: ['betaBuildLocalizations'], isList: true },
  ],
  betaBuildLocalizations: [
    'GET',
    '/v1/betaBuildLocalizations',
    {
      filters: { locale: null, build: null },
      fields: ['betaBuildLocalizations', 'builds'],
      include: ['build'],
      isList: true,
    },
  ],
  createLocalization: ['POST', '/v1/betaBuildLocalizations', {}],
  updateLocalization: ['PATCH', `/v1/betaBuildLocalizations/${ID}`, {}],
  buildReview: ['GET', `/v1/builds/${ID}/betaAppReviewSubmission`, { fields: ['betaAppReviewSubmissions'] }],
  betaReviews: [
    'GET',
    '/v1/betaAppReviewSubmissions',
    {
      filters: { betaReviewState: REVIEW_STATES, build: null },
      required: ['build'],
      fields: ['betaAppReviewSubmissions', 'builds'],
      include: ['build'],
      isList: true,
    },
  ],
  betaReview: ['POST', '/v1/betaAppReviewSubmissions', {}],
  betaGroups: [
    'GET',
    '/v1/betaGroups',
    {
      filters: { name: null, isInternalGroup: BOOLEANS, app: null, builds: null, id: null },
      fields: ['betaGroups', 'apps', 'builds'],
      include: ['app', 'builds'],
      limits: ['builds'],
      sort: ['name', 'createdDate'],
      isList: true,
    },
  ],
  groupBuilds: ['GET', `/v1/betaGroups/${ID}/relationships/builds`, { isList: true }],
  addToGroup: ['POST', `/v1/betaGroups/${ID}/relationships/builds`, {}],
  addGroups: ['POST', `/v1/builds/${ID}/relationships/betaGroups`, {}],
  ...STORE_ROUTES,
} as const satisfies Record<string, readonly [string, string, QuerySpec]>;

export type KnownCall = keyof typeof ROUTES;
export type Call = KnownCall | 'unknown';

const PATTERNS = Object.entries(ROUTES).map(
  ([call, [method, path]]) => [call as KnownCall, method as string, new RegExp(`^${path}$`)] as const,
);

/** Which call a request is; `id` is the variable part of its path. */
export function callOf(method: string, path: string): { call: Call; id: string } {
  for (const [call, routeMethod, pattern] of PATTERNS) {
    const found = pattern.exec(path);
    if (method === routeMethod && found !== null) return { call, id: found[1] ?? '' };
  }
  return { call: 'unknown', id: '' };
}
