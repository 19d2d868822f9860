import { Injectable } from '@nestjs/common';
import type { Destination } from '../../app-submissions/destinations/destination.entity.js';
import { DestinationsService } from '../../app-submissions/destinations/destinations.service.js';
import type { Submission } from '../../app-submissions/submissions/submission.entity.js';
import { SubmissionCreation } from '../../app-submissions/submissions/submission-creation.service.js';
import type { App } from '../../apps/apps/app.entity.js';
import { databaseNow } from '../../common/database-clock.js';
import { invalidField } from '../../common/errors/app-error.js';
import { currentActor } from '../../database/transactions/actor.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import type { Build } from '../../native-builds/builds/build.entity.js';
import type { SubmittedBuild } from '../../native-builds/builds/build-deployments.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { requireNotes, requireReleaseOptions } from './release-options.js';
import type { ReleaseOptions, RequestedRelease } from './requested-release.js';
import { StoreDeploymentsQueries } from './store-deployments.queries.js';
import { type SubmissionContent, SubmissionContentService } from './submission-content.service.js';
import { requireNotSubmitted } from './submitted-once.js';
import { isScheduled, requireSubmittable } from './submittable-destination.js';

/** Names a build and a destination; an id wins over a name. */
export interface StoreTarget {
  readonly appBuildId: string;
  readonly appDestinationId?: string | null;
  readonly appDestinationName?: string | null;
}

/** A build, and the destination that it is to go to, which is locked. */
export interface StoreDeployment {
  readonly build: Build;
  readonly destination: Destination;
}

/** Checks builds against destinations, and hands them over to submissions. */
@Injectable()
export class StoreDeploymentsService {
  constructor(
    private readonly builds: BuildsService,
    private readonly jobs: JobsService,
    private readonly destinations: DestinationsService,
    private readonly creation: SubmissionCreation,
    private readonly contents: SubmissionContentService,
    private readonly queries: StoreDeploymentsQueries,
  ) {}

  /**
   * Finds the build and the destination, and locks the destination until the transaction ends: of two deployments of one
   * build to it, the second sees the first.
   *
   * @throws NotFoundError for an unknown build or destination
   * @throws InvalidRequestError when they are for different platforms
   */
  async find(appId: string, target: StoreTarget): Promise<StoreDeployment> {
    const build = await this.builds.get(appId, target.appBuildId);
    const { platform } = build;
    if (platform === 'web') {
      throw invalidField(
        'appBuildId',
        'appBuildId must be an Android or iOS build: web builds are deployed to channels.',
      );
    }
    const { id } = target.appDestinationId
      ? await this.destinations.get(appId, target.appDestinationId)
      : await this.destinations.getByName(appId, target.appDestinationName ?? '', platform);
    const destination = await this.destinations.lock(appId, id);
    requirePlatform(destination, platform);
    return { build, destination };
  }

  /**
   * Whether a build of the app can go to a destination, as far as that is known before it is made.
   *
   * @throws NotFoundError for an unknown destination
   * @throws InvalidRequestError when it does not fit
   */
  async requireDestination(
    appId: string,
    destinationId: string,
    { platform, releaseNotes }: SubmittedBuild,
  ): Promise<void> {
    const destination = await this.destinations.get(appId, destinationId);
    requirePlatform(destination, platform);
    const submittable = requireSubmittable(destination);
    requireNotes(submittable, releaseNotes);
    if (isScheduled(submittable)) {
      throw invalidField(
        'appDestinationId',
        'appDestinationId must be a destination whose appleReleaseType is not scheduled: a build that submits itself has no date, so deploy it yourself.',
      );
    }
  }

  /**
   * Checks everything about a submission that can be known before the store is asked, in the running transaction.
   *
   * @throws InvalidRequestError when build, destination and request do not fit
   * @throws ConflictError when the version was submitted to the destination before
   */
  async prepare(
    appId: string,
    { build, destination }: StoreDeployment,
    options: RequestedRelease,
  ): Promise<SubmissionContent> {
    const submittable = requireSubmittable(destination);
    requireReleaseOptions(submittable, options, databaseNow());
    await this.requireSuccess(build);
    const content = await this.contents.find(appId, build, submittable, options);
    if (!options.isForced) {
      const { packageName, versionName, versionCode } = content.facts;
      const earlier = await this.queries.earlier(destination.id, packageName, versionCode);
      const { sha256 } = content.artifact;
      requireNotSubmitted({ type: destination.type, versionName, versionCode, sha256 }, earlier);
    }
    return content;
  }

  /**
   * Submits what was prepared, in the running transaction.
   *
   * @param id of the deployment
   * @param waitsForApprovals one sentence that says for whose approval it waits; `null`: it begins
   * @throws ConflictError when the app has as many open submissions as the server allows
   */
  submit(
    app: App,
    id: string,
    destination: Destination,
    content: SubmissionContent,
    options: ReleaseOptions,
    waitsForApprovals: string | null,
  ): Promise<Submission> {
    const { releaseNotes, rolloutPercentage: userFraction, inAppUpdatePriority } = options;
    const { cancelsReview, earliestReleaseAt } = options;
    return this.creation.create(app, {
      id,
      destination,
      ...content,
      releaseNotes,
      userFraction,
      inAppUpdatePriority,
      cancelsReview,
      earliestReleaseAt,
      waitsForApprovals,
      createdBy: currentActor()?.userId ?? null,
    });
  }

  private async requireSuccess({ jobId }: Build): Promise<void> {
    const job = jobId === null ? undefined : (await this.jobs.getMany([jobId])).get(jobId);
    if (job === undefined || job.status === 'succeeded') return;
    throw invalidField('appBuildId', 'appBuildId must be a build whose job has succeeded.');
  }
}

/** @throws InvalidRequestError when the destination is for another platform */
function requirePlatform(destination: Destination, platform: string): void {
  if (destination.platform === platform) return;
  throw invalidField(
    'appDestinationId',
    `appDestinationId must be a destination for ${platform}, as the build is: it is for ${destination.platform}.`,
  );
}
