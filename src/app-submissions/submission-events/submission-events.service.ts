import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventsService } from '../../events/events.service.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import { type EndedAction, ReleaseChanges, type ReleaseCause } from '../releases/release-changes.js';
import type { StoreRelease } from '../releases/store-release.entity.js';
import type { Submission, SubmissionState } from '../submissions/submission.entity.js';
import { SubmissionCreation } from '../submissions/submission-creation.service.js';
import { SubmissionProgress } from '../submissions/submission-progress.service.js';
import { type ActionReason, reasonOfState, reasonOfStatus } from './action-required.js';
import {
  stateOf,
  statusOf,
  type ReleaseActionRequiredEventDto,
  type SubmittedAppDto,
  toSubmittedAppDto,
} from './submission-event.dto.js';
import {
  appReleaseActionRequired,
  appReleaseStatusChanged,
  appSubmissionStateChanged,
} from './submissions.events.js';

/** What a release waits for. */
type Required = Pick<ReleaseActionRequiredEventDto, 'reason' | 'message' | 'storeMessage' | 'link'>;

/** Records what happens to submissions and their releases, in the transactions of these changes. */
@Injectable()
export class SubmissionEvents implements OnModuleInit {
  constructor(
    private readonly creation: SubmissionCreation,
    private readonly progress: SubmissionProgress,
    private readonly changes: ReleaseChanges,
    private readonly destinations: DestinationsService,
    private readonly events: EventsService,
  ) {}

  onModuleInit(): void {
    this.creation.created.register((submission) => this.stateChanged(submission, null));
    this.changes.requested.register((change) => this.stateChanged(change, null));
    this.progress.stateChanged.register((submission, before) => this.stateChanged(submission, before));
    this.changes.actionEnded.register((ended) => this.ended(ended));
    this.changes.moved.register((release, before, cause) => this.moved(release, before, cause));
  }

  private async stateChanged(submission: Submission, before: SubmissionState | null): Promise<void> {
    const { id, appId, message, storeMessage, link } = submission;
    const app = await this.appOf(submission);
    const data = { ...app, ...stateOf(submission, before) };
    await this.events.record(appSubmissionStateChanged, { appId, objectId: id, data });
    const reason = reasonOfState(submission);
    if (reason !== null) {
      await this.require(submission, app, { reason, message: message ?? '', storeMessage, link });
    }
  }

  /** A refusal with a page is one that a person settles there. */
  private async ended({ submission, status, message, storeMessage }: EndedAction): Promise<void> {
    const { link } = submission;
    if (status !== 'failed' || link === null) return;
    const required = { reason: 'refused' as const, message: message ?? '', storeMessage, link };
    await this.require(submission, await this.appOf(submission), required);
  }

  private async moved(
    release: StoreRelease,
    before: StoreRelease | null,
    { actor, userId }: ReleaseCause,
  ): Promise<void> {
    const { id, appId, status, message, storeStatus: storeMessage, link } = release;
    const submission = await this.progress.find(id);
    if (submission === null) return;
    const app = await this.appOf(submission);
    const data = { ...app, ...statusOf(release, before) };
    await this.events.record(appReleaseStatusChanged, { appId, objectId: id, userId, data });
    const reason: ActionReason | null =
      status === before?.status ? null : reasonOfStatus(status, submission, actor);
    if (reason !== null) await this.require(submission, app, { reason, message, storeMessage, link });
  }

  private require(
    { id, appId, releaseId }: Submission,
    app: SubmittedAppDto,
    required: Required,
  ): Promise<void> {
    const data = { ...app, ...required };
    return this.events.record(appReleaseActionRequired, { appId, objectId: releaseId ?? id, data });
  }

  private async appOf(submission: Submission): Promise<SubmittedAppDto> {
    const { destinationId } = submission;
    const destination = (await this.destinations.getMany([destinationId])).get(destinationId);
    return toSubmittedAppDto(submission, destination?.name ?? null);
  }
}
