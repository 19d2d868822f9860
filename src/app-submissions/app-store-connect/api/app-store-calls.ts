import type { ApplePlatform } from '../../../common/apple-platforms.js';
import { unusable } from '../refusals/apple-error.js';
import type { AppStoreConnectApi } from './app-store-connect-api.js';
import {
  type AppVersion,
  type ReviewItem,
  type ReviewSubmission,
  toReviewItem,
  toReviewSubmission,
  toVersion,
  toVersionLocalization,
  type VersionLocalization,
  type VersionSettings,
} from './app-store-resources.js';
import { APPLE_PLATFORM_NAMES } from './apple-resources.js';

const VERSION_FIELDS = {
  'fields[appStoreVersions]':
    'platform,versionString,appVersionState,releaseType,earliestReleaseDate,build,appStoreVersionPhasedRelease',
  'fields[builds]': 'version',
  'fields[appStoreVersionPhasedReleases]': 'phasedReleaseState,currentDayNumber',
  include: 'build,appStoreVersionPhasedRelease',
};

const SUBMISSION_FIELDS = {
  'fields[reviewSubmissions]': 'platform,state,appStoreVersionForReview',
  'fields[appStoreVersions]': 'versionString',
  include: 'appStoreVersionForReview',
};
const ITEM_FIELDS = {
  'fields[reviewSubmissionItems]': 'state,appStoreVersion',
  'fields[appStoreVersions]': 'versionString',
  include: 'appStoreVersion',
};
/** All states but `COMPLETE`. */
const OPEN_STATES = 'READY_FOR_REVIEW,WAITING_FOR_REVIEW,IN_REVIEW,UNRESOLVED_ISSUES,CANCELING,COMPLETING';

/** The calls about versions in the App Store: see `AppStoreConnectClient`. */
export class AppStoreCalls {
  constructor(private readonly api: AppStoreConnectApi) {}

  /** The versions of an app on a platform, compared exactly: Apple's filter may match more. */
  async versions(appId: string, platform: ApplePlatform): Promise<AppVersion[]> {
    const name = APPLE_PLATFORM_NAMES[platform];
    const query = { 'filter[platform]': name, ...VERSION_FIELDS };
    const path = ['v1', 'apps', appId, 'appStoreVersions'];
    const { data, included } = await this.api.list({ call: 'read', path, query });
    return data
      .filter((item) => item.get('attributes', 'platform').string === name)
      .map((item) => toVersion(item, included));
  }

  async version(id: string): Promise<AppVersion> {
    const path = ['v1', 'appStoreVersions', id];
    const { data, included } = await this.api.one({
      call: 'version',
      method: 'GET',
      path,
      query: VERSION_FIELDS,
    });
    const version = toVersion(data, included);
    // What is done next depends on it.
    if (version.state === null) throw unusable(200, '');
    return version;
  }

  /** @returns its id */
  async createVersion(appId: string, platform: ApplePlatform, settings: VersionSettings): Promise<string> {
    const data = {
      type: 'appStoreVersions',
      attributes: { platform: APPLE_PLATFORM_NAMES[platform], ...attributesOf(settings) },
      relationships: { app: { data: { type: 'apps', id: appId } } },
    };
    const path = ['v1', 'appStoreVersions'];
    const created = await this.api.one({ call: 'create-version', method: 'POST', path, data });
    return toVersion(created.data, []).id;
  }

  async updateVersion(id: string, settings: Partial<VersionSettings>): Promise<void> {
    const data = { type: 'appStoreVersions', id, attributes: attributesOf(settings) };
    await this.api.send({
      call: 'edit-version',
      method: 'PATCH',
      path: ['v1', 'appStoreVersions', id],
      data,
    });
  }

  async attachBuild(id: string, buildId: string): Promise<void> {
    const path = ['v1', 'appStoreVersions', id, 'relationships', 'build'];
    const data = { type: 'builds', id: buildId };
    await this.api.send({ call: 'attach-build', method: 'PATCH', path, data });
  }

  async localizations(id: string): Promise<VersionLocalization[]> {
    const path = ['v1', 'appStoreVersions', id, 'appStoreVersionLocalizations'];
    const query = { 'fields[appStoreVersionLocalizations]': 'locale,whatsNew' };
    return (await this.api.list({ call: 'version', path, query })).data.map(toVersionLocalization);
  }

  async updateWhatsNew(localizationId: string, whatsNew: string): Promise<void> {
    const data = { type: 'appStoreVersionLocalizations', id: localizationId, attributes: { whatsNew } };
    const path = ['v1', 'appStoreVersionLocalizations', localizationId];
    await this.api.send({ call: 'whats-new', method: 'PATCH', path, data });
  }

  /** Users get the version over seven days, from its release on. */
  async createPhasedRelease(versionId: string): Promise<void> {
    const data = {
      type: 'appStoreVersionPhasedReleases',
      attributes: { phasedReleaseState: 'INACTIVE' },
      relationships: { appStoreVersion: { data: { type: 'appStoreVersions', id: versionId } } },
    };
    const path = ['v1', 'appStoreVersionPhasedReleases'];
    await this.api.send({ call: 'phased-release', method: 'POST', path, data });
  }

  async deletePhasedRelease(id: string): Promise<void> {
    const path = ['v1', 'appStoreVersionPhasedReleases', id];
    await this.api.send({ call: 'phased-release', method: 'DELETE', path });
  }

  /** Pauses, resumes or completes the phased release of a version that is live. */
  async setPhasedRelease(id: string, phasedReleaseState: 'ACTIVE' | 'PAUSED' | 'COMPLETE'): Promise<void> {
    const data = { type: 'appStoreVersionPhasedReleases', id, attributes: { phasedReleaseState } };
    const path = ['v1', 'appStoreVersionPhasedReleases', id];
    await this.api.send({ call: 'phased-release', method: 'PATCH', path, data });
  }

  /** Releases a version that is approved. */
  async requestRelease(versionId: string): Promise<void> {
    const data = {
      type: 'appStoreVersionReleaseRequests',
      relationships: { appStoreVersion: { data: { type: 'appStoreVersions', id: versionId } } },
    };
    const path = ['v1', 'appStoreVersionReleaseRequests'];
    await this.api.send({ call: 'release-version', method: 'POST', path, data });
  }
}

/** The calls about reviews of the App Store: see `AppStoreConnectClient`. */
export class ReviewCalls {
  constructor(private readonly api: AppStoreConnectApi) {}

  /** The review submissions of an app on a platform that are not complete. */
  async open(appId: string, platform: ApplePlatform): Promise<ReviewSubmission[]> {
    const name = APPLE_PLATFORM_NAMES[platform];
    const query = {
      'filter[app]': appId,
      'filter[platform]': name,
      'filter[state]': OPEN_STATES,
      ...SUBMISSION_FIELDS,
    };
    const { data } = await this.api.list({ call: 'read', path: ['v1', 'reviewSubmissions'], query });
    return data
      .filter((item) => item.get('attributes', 'platform').string === name)
      .map(toReviewSubmission)
      .filter(({ state }) => state !== 'COMPLETE');
  }

  async get(id: string): Promise<ReviewSubmission> {
    const path = ['v1', 'reviewSubmissions', id];
    const { data } = await this.api.one({ call: 'review', method: 'GET', path, query: SUBMISSION_FIELDS });
    return known(toReviewSubmission(data));
  }

  async create(appId: string, platform: ApplePlatform): Promise<ReviewSubmission> {
    const data = {
      type: 'reviewSubmissions',
      attributes: { platform: APPLE_PLATFORM_NAMES[platform] },
      relationships: { app: { data: { type: 'apps', id: appId } } },
    };
    const path = ['v1', 'reviewSubmissions'];
    return toReviewSubmission(
      (await this.api.one({ call: 'create-review', method: 'POST', path, data })).data,
    );
  }

  /** What is in it, without what was taken out. */
  async items(id: string): Promise<ReviewItem[]> {
    const path = ['v1', 'reviewSubmissions', id, 'items'];
    const { data } = await this.api.list({ call: 'review', path, query: ITEM_FIELDS });
    return data.filter((item) => item.get('attributes', 'state').string !== 'REMOVED').map(toReviewItem);
  }

  /** Adds a version to a review submission, which freezes its build. @returns the id of the item */
  async addVersion(id: string, versionId: string): Promise<string> {
    const data = {
      type: 'reviewSubmissionItems',
      relationships: {
        reviewSubmission: { data: { type: 'reviewSubmissions', id } },
        appStoreVersion: { data: { type: 'appStoreVersions', id: versionId } },
      },
    };
    const path = ['v1', 'reviewSubmissionItems'];
    return toReviewItem((await this.api.one({ call: 'add-item', method: 'POST', path, data })).data).id;
  }

  /** Takes something out of a review submission that was not submitted. */
  async removeItem(itemId: string): Promise<void> {
    const path = ['v1', 'reviewSubmissionItems', itemId];
    await this.api.send({ call: 'remove-item', method: 'DELETE', path });
  }

  async submit(id: string): Promise<ReviewSubmission> {
    return this.change(id, 'submit-review', { submitted: true });
  }

  /** Ends the review, or takes a rejected version out of it: `CANCELING` until it is `COMPLETE`. */
  async cancel(id: string): Promise<ReviewSubmission> {
    return this.change(id, 'cancel-review', { canceled: true });
  }

  private async change(
    id: string,
    call: 'submit-review' | 'cancel-review',
    attributes: object,
  ): Promise<ReviewSubmission> {
    const path = ['v1', 'reviewSubmissions', id];
    const data = { type: 'reviewSubmissions', id, attributes };
    return toReviewSubmission((await this.api.one({ call, method: 'PATCH', path, data })).data);
  }
}

/** Without the date unless there is one: Apple takes it with `SCHEDULED` only. */
function attributesOf({ earliestReleaseDate, ...settings }: Partial<VersionSettings>): object {
  if (earliestReleaseDate === undefined || earliestReleaseDate === null) return settings;
  return { ...settings, earliestReleaseDate: earliestReleaseDate.toISOString() };
}

/** What is done next depends on the state. @throws StoreRefusal */
function known(submission: ReviewSubmission): ReviewSubmission {
  if (submission.state === null) throw unusable(200, '');
  return submission;
}
