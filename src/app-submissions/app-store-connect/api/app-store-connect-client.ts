import { Injectable } from '@nestjs/common';
import type { ApplePlatform } from '../../../common/apple-platforms.js';
import { Config } from '../../../config/config.js';
import type { StoreSession } from '../../calls/store-session.js';
import { isSameVersion } from '../apple-version.js';
import { CallBudget } from '../rate-limits/call-budget.service.js';
import { unusable } from '../refusals/apple-error.js';
import { AppStoreCalls, ReviewCalls } from './app-store-calls.js';
import { type AppleApiKey, AppStoreConnectApi, type AppStoreConnectAccess } from './app-store-connect-api.js';
import {
  type AppleApp,
  type AppleBuild,
  APPLE_PLATFORM_NAMES,
  type BetaGroup,
  type BetaLocalization,
  type BuildBetaDetail,
  type BuildUpload,
  type BuildUploadFile,
  type BuildVersion,
  type StoreVersion,
  toApp,
  toBetaGroup,
  toBetaLocalization,
  toBuild,
  toBuildUpload,
  toBuildUploadFile,
} from './apple-resources.js';

const APP_FIELDS = { 'fields[apps]': 'name,bundleId,primaryLocale' };
const BUILD_FIELDS = {
  'fields[builds]': 'version,processingState,expired,usesNonExemptEncryption,preReleaseVersion',
  'fields[preReleaseVersions]': 'version,platform',
  include: 'preReleaseVersion',
};
const UPLOAD_FIELDS = {
  'fields[buildUploads]': 'cfBundleShortVersionString,cfBundleVersion,state,platform,build',
  'fields[builds]': 'version',
  include: 'build',
};
const FILE_FIELDS = { 'fields[buildUploadFiles]': 'assetDeliveryState,fileSize,uploadOperations' };

/** Calls App Store Connect with keys of API users. */
@Injectable()
export class AppStoreConnect {
  private readonly baseUrl: string;

  constructor(
    config: Config,
    private readonly budget: CallBudget,
  ) {
    this.baseUrl = config.stores.appStoreConnectUrl;
  }

  /** The calls with one key. They count for the organization of the session. */
  clientOf(session: StoreSession, key: AppleApiKey): AppStoreConnectClient {
    return new AppStoreConnectClient(session, { baseUrl: this.baseUrl, key, budget: this.budget });
  }
}

/**
 * The calls of App Store Connect with one key. Each throws `StoreRefusal` when Apple refuses it or answers with something
 * else than its API documents, and `StoreUnreachableError` when there is no answer. Read before you repeat a write: without
 * an answer, it may have happened.
 */
export class AppStoreConnectClient {
  readonly appStore: AppStoreCalls;
  readonly reviews: ReviewCalls;
  private readonly api: AppStoreConnectApi;

  constructor(session: StoreSession, access: AppStoreConnectAccess) {
    this.api = new AppStoreConnectApi(session, access);
    this.appStore = new AppStoreCalls(this.api);
    this.reviews = new ReviewCalls(this.api);
  }

  /** An app of the team. */
  async app(id: string): Promise<AppleApp> {
    const path = ['v1', 'apps', id];
    return toApp((await this.api.one({ call: 'app', method: 'GET', path, query: APP_FIELDS })).data);
  }

  /** The apps with this bundle id, compared exactly: Apple's filter matches more. */
  async appsByBundleId(bundleId: string): Promise<AppleApp[]> {
    return (await this.appsLike(bundleId)).filter((app) => app.bundleId === bundleId);
  }

  /** The apps that Apple finds by a bundle id: also those whose bundle ids differ in case, or begin with it. */
  async appsLike(bundleId: string): Promise<AppleApp[]> {
    const query = { 'filter[bundleId]': bundleId, ...APP_FIELDS };
    const { data } = await this.api.list({ call: 'app', path: ['v1', 'apps'], query });
    return data.map(toApp);
  }

  /** Apps that the key can see. */
  async apps(limit: number): Promise<AppleApp[]> {
    const path = ['v1', 'apps'];
    return (await this.api.list({ call: 'app', path, query: APP_FIELDS }, limit)).data.map(toApp);
  }

  async storeVersions(appId: string, platform: ApplePlatform): Promise<StoreVersion[]> {
    const query = {
      'filter[platform]': APPLE_PLATFORM_NAMES[platform],
      'fields[appStoreVersions]': 'versionString,appVersionState',
    };
    const path = ['v1', 'apps', appId, 'appStoreVersions'];
    const { data } = await this.api.list({ call: 'read', path, query });
    return data.flatMap((item) => {
      const versionString = item.get('attributes', 'versionString').text;
      if (versionString === null) return [];
      return [{ versionString, state: item.get('attributes', 'appVersionState').text }];
    });
  }

  /** The builds with this version and build number, however Apple spells the version. */
  async builds(
    appId: string,
    platform: ApplePlatform,
    { version, buildNumber }: BuildVersion,
  ): Promise<AppleBuild[]> {
    const query = {
      'filter[app]': appId,
      'filter[version]': buildNumber,
      'filter[preReleaseVersion.platform]': APPLE_PLATFORM_NAMES[platform],
      ...BUILD_FIELDS,
    };
    const { data, included } = await this.api.list({ call: 'build', path: ['v1', 'builds'], query });
    return data
      .map((item) => toBuild(item, included))
      .filter((build) => isSame(build.version, version) && isSame(build.buildNumber, buildNumber));
  }

  /** The build numbers of an app: of its builds, and of uploads that are no builds yet. The newest 2,000 of each. */
  async buildNumbers(appId: string, platform: ApplePlatform): Promise<string[]> {
    const sort = '-uploadedDate';
    const ofBuilds = {
      'filter[app]': appId,
      'filter[preReleaseVersion.platform]': APPLE_PLATFORM_NAMES[platform],
    };
    const builds = await this.api.list({
      call: 'build',
      path: ['v1', 'builds'],
      query: { ...ofBuilds, 'fields[builds]': 'version', sort },
    });
    const uploads = await this.api.list({
      call: 'read',
      path: ['v1', 'apps', appId, 'buildUploads'],
      query: {
        'filter[platform]': APPLE_PLATFORM_NAMES[platform],
        'filter[state]': 'AWAITING_UPLOAD,PROCESSING',
        'fields[buildUploads]': 'cfBundleVersion',
        sort,
      },
    });
    const textOf = (name: string) => (item: (typeof builds.data)[number]) =>
      item.get('attributes', name).text ?? [];
    return [...builds.data.flatMap(textOf('version')), ...uploads.data.flatMap(textOf('cfBundleVersion'))];
  }

  async build(id: string): Promise<AppleBuild> {
    const path = ['v1', 'builds', id];
    const { data, included } = await this.api.one({
      call: 'build',
      method: 'GET',
      path,
      query: BUILD_FIELDS,
    });
    return toBuild(data, included);
  }

  /** The uploads of builds with this version and build number, however they spell the version. */
  async buildUploads(
    appId: string,
    platform: ApplePlatform,
    { version, buildNumber }: BuildVersion,
  ): Promise<BuildUpload[]> {
    const query = {
      'filter[cfBundleVersion]': buildNumber,
      'filter[platform]': APPLE_PLATFORM_NAMES[platform],
      ...UPLOAD_FIELDS,
    };
    const path = ['v1', 'apps', appId, 'buildUploads'];
    const { data } = await this.api.list({ call: 'read', path, query });
    return data
      .map(toBuildUpload)
      .filter((upload) => isSame(upload.version, version) && isSame(upload.buildNumber, buildNumber));
  }

  async buildUpload(id: string): Promise<BuildUpload> {
    const path = ['v1', 'buildUploads', id];
    const { data } = await this.api.one({ call: 'read', method: 'GET', path, query: UPLOAD_FIELDS });
    const upload = toBuildUpload(data);
    // Whether Apple has the file depends on it.
    if (upload.state === null) throw unusable(200, '');
    return upload;
  }

  /** Begins an upload. Apple takes one for each build number. */
  async createBuildUpload(
    appId: string,
    platform: ApplePlatform,
    { version, buildNumber }: BuildVersion,
  ): Promise<BuildUpload> {
    const data = {
      type: 'buildUploads',
      attributes: {
        cfBundleShortVersionString: version,
        cfBundleVersion: buildNumber,
        platform: APPLE_PLATFORM_NAMES[platform],
      },
      relationships: { app: { data: { type: 'apps', id: appId } } },
    };
    const path = ['v1', 'buildUploads'];
    return toBuildUpload((await this.api.one({ call: 'create-upload', method: 'POST', path, data })).data);
  }

  /** Removes an upload that was not delivered. */
  async deleteBuildUpload(id: string): Promise<void> {
    await this.api.send({ call: 'delete-upload', method: 'DELETE', path: ['v1', 'buildUploads', id] });
  }

  async createBuildUploadFile(
    uploadId: string,
    { fileName, sizeInBytes }: { readonly fileName: string; readonly sizeInBytes: number },
  ): Promise<BuildUploadFile> {
    const data = {
      type: 'buildUploadFiles',
      attributes: { assetType: 'ASSET', fileName, fileSize: sizeInBytes, uti: 'com.apple.ipa' },
      relationships: { buildUpload: { data: { type: 'buildUploads', id: uploadId } } },
    };
    const path = ['v1', 'buildUploadFiles'];
    const created = await this.api.one({ call: 'create-file', method: 'POST', path, data });
    const file = toBuildUploadFile(created.data, (url) => this.api.mayUploadTo(url), sizeInBytes);
    if (file.operations.length === 0) throw unusable(200, '');
    return file;
  }

  async buildUploadFile(id: string): Promise<BuildUploadFile> {
    const path = ['v1', 'buildUploadFiles', id];
    return this.toFile((await this.api.one({ call: 'read', method: 'GET', path, query: FILE_FIELDS })).data);
  }

  /** Delivers the file: Apple begins to process it, and the build number is used. */
  async markUploaded(fileId: string): Promise<void> {
    const data = { type: 'buildUploadFiles', id: fileId, attributes: { uploaded: true } };
    const path = ['v1', 'buildUploadFiles', fileId];
    await this.api.send({ call: 'mark-uploaded', method: 'PATCH', path, data });
  }

  /** The groups of an app. */
  async betaGroups(appId: string): Promise<BetaGroup[]> {
    const query = { 'filter[app]': appId, 'fields[betaGroups]': 'name,isInternalGroup,hasAccessToAllBuilds' };
    const { data } = await this.api.list({ call: 'read', path: ['v1', 'betaGroups'], query });
    // A list that changes while it is read can have one on two pages.
    const groups = new Map(data.map(toBetaGroup).map((group) => [group.id, group]));
    return [...groups.values()];
  }

  /** Where a build is in TestFlight. */
  async buildBetaDetail(buildId: string): Promise<BuildBetaDetail> {
    const path = ['v1', 'builds', buildId, 'buildBetaDetail'];
    const query = { 'fields[buildBetaDetails]': 'internalBuildState,externalBuildState' };
    const { data } = await this.api.one({ call: 'build', method: 'GET', path, query });
    return {
      internalState: data.get('attributes', 'internalBuildState').text,
      externalState: data.get('attributes', 'externalBuildState').text,
    };
  }

  /** Answers whether a build uses encryption that is not exempt. It can be answered once. */
  async answerCompliance(buildId: string, usesNonExemptEncryption: boolean): Promise<void> {
    const data = { type: 'builds', id: buildId, attributes: { usesNonExemptEncryption } };
    await this.api.send({ call: 'compliance', method: 'PATCH', path: ['v1', 'builds', buildId], data });
  }

  /** The notes of a build for testers. */
  async betaLocalizations(buildId: string): Promise<BetaLocalization[]> {
    const path = ['v1', 'builds', buildId, 'betaBuildLocalizations'];
    const query = { 'fields[betaBuildLocalizations]': 'locale,whatsNew' };
    return (await this.api.list({ call: 'read', path, query })).data.map(toBetaLocalization);
  }

  /** The locales in which the app has Test Information. */
  async appLocales(appId: string): Promise<string[]> {
    const path = ['v1', 'apps', appId, 'betaAppLocalizations'];
    const query = { 'fields[betaAppLocalizations]': 'locale' };
    const { data } = await this.api.list({ call: 'read', path, query });
    return data.flatMap((item) => item.get('attributes', 'locale').exactText ?? []);
  }

  async createBetaLocalization(buildId: string, locale: string, text: string): Promise<void> {
    const data = {
      type: 'betaBuildLocalizations',
      attributes: { locale, whatsNew: text },
      relationships: { build: { data: { type: 'builds', id: buildId } } },
    };
    await this.api.send({ call: 'notes', method: 'POST', path: ['v1', 'betaBuildLocalizations'], data });
  }

  async updateBetaLocalization(id: string, text: string): Promise<void> {
    const data = { type: 'betaBuildLocalizations', id, attributes: { whatsNew: text } };
    await this.api.send({ call: 'notes', method: 'PATCH', path: ['v1', 'betaBuildLocalizations', id], data });
  }

  /** Sends a build to Apple's beta review, which external groups need. */
  async submitForBetaReview(buildId: string): Promise<void> {
    const data = {
      type: 'betaAppReviewSubmissions',
      relationships: { build: { data: { type: 'builds', id: buildId } } },
    };
    const path = ['v1', 'betaAppReviewSubmissions'];
    await this.api.send({ call: 'beta-review', method: 'POST', path, data });
  }

  /** `WAITING_FOR_REVIEW`, `IN_REVIEW`, `REJECTED` or `APPROVED`, whatever Apple says; `null`: not submitted. */
  async betaReviewState(buildId: string): Promise<string | null> {
    const query = { 'filter[build]': buildId, 'fields[betaAppReviewSubmissions]': 'betaReviewState' };
    const path = ['v1', 'betaAppReviewSubmissions'];
    const { data } = await this.api.list({ call: 'read', path, query }, 1);
    return data[0]?.get('attributes', 'betaReviewState').text ?? null;
  }

  async addToGroup(groupId: string, buildId: string): Promise<void> {
    const path = ['v1', 'betaGroups', groupId, 'relationships', 'builds'];
    await this.api.send({ call: 'group', method: 'POST', path, data: [{ type: 'builds', id: buildId }] });
  }

  private toFile(resource: Parameters<typeof toBuildUploadFile>[0]): BuildUploadFile {
    return toBuildUploadFile(resource, (url) => this.api.mayUploadTo(url));
  }
}

function isSame(found: string | null, wanted: string): boolean {
  return found !== null && isSameVersion(found, wanted);
}
