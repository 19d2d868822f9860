import { Injectable } from '@nestjs/common';
import type { Destination } from '../../app-submissions/destinations/destination.entity.js';
import { DestinationsService } from '../../app-submissions/destinations/destinations.service.js';
import type { SubmittedFacts } from '../../app-submissions/submissions/new-submission.js';
import { SubmissionsService } from '../../app-submissions/submissions/submissions.service.js';
import type { App } from '../../apps/apps/app.entity.js';
import { invalidField } from '../../common/errors/app-error.js';
import { currentActor } from '../../database/transactions/actor.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import type { Build } from '../../native-builds/builds/build.entity.js';
import type { SubmittedBuild } from '../../native-builds/builds/build-deployments.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { requireAppleFacts } from './app-store-connect/apple-facts.js';
import { requirePlayFacts, requireSameSigner } from './google-play/play-facts.js';
import { requireNotes, requireReleaseOptions } from './release-options.js';
import type { RequestedRelease } from './requested-release.js';
import { StoreDeploymentsQueries } from './store-deployments.queries.js';
import { type SubmittedFiles, SubmittedFilesService } from './submitted-files.service.js';
import { requireSubmittable, type SubmittableDestination } from './submittable-destination.js';
import { unfitBuild } from './unfit-build.js';

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
    private readonly submissions: SubmissionsService,
    private readonly files: SubmittedFilesService,
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
    requireNotes(requireSubmittable(destination), releaseNotes);
  }

  /**
   * Submits a build, in the running transaction, if everything fits that can be known before the store is asked.
   *
   * @param id of the deployment
   * @throws InvalidRequestError when it does not fit
   * @throws ConflictError when the app has as many open submissions as the server allows
   */
  async submit(
    app: App,
    id: string,
    { build, destination }: StoreDeployment,
    options: RequestedRelease,
  ): Promise<void> {
    const submittable = requireSubmittable(destination);
    requireReleaseOptions(submittable, options);
    await this.requireSuccess(build);
    const files = await this.files.of(build, submittable);
    const { artifact, symbolFiles } = files;
    const facts = await this.factsOf(app.id, files, submittable, options);
    const { releaseNotes, rolloutPercentage: userFraction, inAppUpdatePriority, cancelsReview } = options;
    const createdBy = currentActor()?.userId ?? null;
    const how = { releaseNotes, userFraction, inAppUpdatePriority, cancelsReview, createdBy };
    await this.submissions.create(app, {
      id,
      action: 'submit',
      destination,
      artifact,
      facts,
      symbolFiles,
      earliestReleaseAt: null,
      waitsForApprovals: null,
      ...how,
    });
  }

  /** What was read from the file. @throws InvalidRequestError when the store would refuse it */
  private async factsOf(
    appId: string,
    { artifact: { type }, details }: SubmittedFiles,
    destination: SubmittableDestination,
    { acceptsNewSigner }: RequestedRelease,
  ): Promise<SubmittedFacts> {
    if (details === null) throw unfitBuild(`whose ${type} the server has read: build or import it again`);
    if (destination.type === 'apple-app-store-connect') return requireAppleFacts(details, destination);
    const facts = requirePlayFacts(type, details, destination);
    if (!acceptsNewSigner) {
      const last = await this.queries.lastSigner(appId, facts.packageName);
      requireSameSigner(type, facts.signerSha256, last);
    }
    return facts;
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
