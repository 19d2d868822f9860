import type { ApplePlatform } from '../../../common/apple-platforms.js';
import type { AppStoreConnectApi } from './app-store-connect-api.js';
import { APPLE_PLATFORM_NAMES } from './responses/apple-resources.js';
import { unusable } from '../refusals/answer-refusals.js';
import { toReviewItem, toReviewSubmission } from './responses/app-store-mappers.js';
import type { ReviewItem, ReviewSubmission } from './responses/app-store-resources.js';

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

/** What is done next depends on the state. @throws StoreRefusal */
function known(submission: ReviewSubmission): ReviewSubmission {
  if (submission.state === null) throw unusable(200, '');
  return submission;
}
