import type { Reply } from '../../stand-in/reply.ts';
import type { ApiKey } from '../api-keys.ts';
import type { AppStoreConnect } from '../app-store-connect.ts';
import type { ConnectState } from '../state/connect-state.ts';
import * as apps from './apps.ts';
import { STORE_HANDLERS } from './app-store/store-handlers.ts';
import * as groups from './beta-groups.ts';
import * as reviews from './beta-reviews.ts';
import * as files from './build-upload-files.ts';
import * as uploads from './build-uploads.ts';
import * as builds from './builds.ts';
import * as localizations from './localizations.ts';
import type { Query } from './query.ts';
import type { KnownCall } from './routes.ts';

/** A request to the API, after it was authenticated and its query was read. */
export interface ConnectRequest {
  readonly connect: AppStoreConnect;
  readonly state: ConnectState;
  readonly key: ApiKey;
  /** The variable part of its path. */
  readonly id: string;
  readonly url: URL;
  readonly query: Query;
  readonly body: unknown;
}

type Handler = (request: ConnectRequest) => Reply | Promise<Reply>;

/** What each call does. @throws AppleError */
export const HANDLERS: Readonly<Record<KnownCall, Handler>> = {
  apps: apps.listApps,
  app: apps.getApp,
  appBetaGroups: apps.listAppGroups,
  appBuildUploads: uploads.listBuildUploads,
  appBuilds: builds.listAppBuilds,
  appLocalizations: apps.listAppLocalizations,
  betaAppLocalizations: apps.listBetaAppLocalizations,
  createBuildUpload: uploads.createBuildUpload,
  buildUpload: uploads.getBuildUpload,
  deleteBuildUpload: uploads.deleteBuildUpload,
  buildUploadFiles: files.listBuildUploadFiles,
  createBuildUploadFile: files.createBuildUploadFile,
  buildUploadFile: files.getBuildUploadFile,
  commitFile: files.commitFile,
  builds: builds.listBuilds,
  build: builds.getBuild,
  updateBuild: builds.updateBuild,
  buildBetaDetail: builds.getBetaDetail,
  buildLocalizations: localizations.listBuildLocalizations,
  betaBuildLocalizations: localizations.listLocalizations,
  createLocalization: localizations.createLocalization,
  updateLocalization: localizations.updateLocalization,
  buildReview: reviews.getReview,
  betaReviews: reviews.listReviews,
  betaReview: reviews.createReview,
  betaGroups: apps.listGroups,
  groupBuilds: groups.listGroupBuilds,
  addToGroup: groups.addBuilds,
  addGroups: groups.addGroups,
  ...STORE_HANDLERS,
};
