import type { ApplePlatform } from '../../../common/apple-platforms.js';
import type { StoreSession } from '../../calls/store-session.js';
import { AppStoreConnectApi, type AppStoreConnectAccess } from './app-store-connect-api.js';
import { toApp, toBuild, toBuildUpload, toBuildUploadFile } from './responses/apple-mappers.js';
import {
  type AppleApp,
  type AppleBuild,
  APPLE_PLATFORM_NAMES,
  type BuildUpload,
  type BuildUploadFile,
  type BuildVersion,
  type StoreVersion,
} from './responses/apple-resources.js';
import { normalizedVersion } from '../apple-version.js';
import { unusable } from '../refusals/answer-refusals.js';
import { AppStoreCalls } from './app-store-calls.js';
import { ReviewCalls } from './review-calls.js';
import { TestFlightCalls } from './test-flight-calls.js';

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

/**
 * The calls of App Store Connect with one key. Each throws `StoreRefusal` when Apple refuses it or answers with something
 * else than its API documents, and `StoreUnreachableError` when there is no answer. Read before you repeat a write: without
 * an answer, it may have happened.
 */
export class AppStoreConnectClient extends TestFlightCalls {
  readonly appStore = new AppStoreCalls(this.api);
  readonly reviews = new ReviewCalls(this.api);

  constructor(session: StoreSession, access: AppStoreConnectAccess) {
    super(new AppStoreConnectApi(session, access));
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

  private toFile(resource: Parameters<typeof toBuildUploadFile>[0]): BuildUploadFile {
    return toBuildUploadFile(resource, (url) => this.api.mayUploadTo(url));
  }
}

function isSame(found: string | null, wanted: string): boolean {
  return found !== null && normalizedVersion(found) === normalizedVersion(wanted);
}
