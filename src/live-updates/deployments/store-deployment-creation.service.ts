import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import {
  openSubmissionStates,
  type Submission,
} from '../../app-submissions/submissions/submission.entity.js';
import { SubmissionsService } from '../../app-submissions/submissions/submissions.service.js';
import type { App } from '../../apps/apps/app.entity.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { insertOrThrow } from '../../database/rows.js';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { ReleaseOptions } from '../store-deployments/requested-release.js';
import {
  type StoreDeployment,
  StoreDeploymentsService,
  type StoreTarget,
} from '../store-deployments/store-deployments.service.js';
import { Deployment } from './deployment.entity.js';

/** A new deployment to a store. */
export interface NewStoreDeployment extends StoreTarget {
  readonly rolloutPercentage?: number | null;
  readonly releaseNotes?: Record<string, string> | null;
  readonly inAppUpdatePriority?: number | null;
  readonly cancelRunningReview?: boolean | null;
  readonly acceptNewSigner?: boolean | null;
}

/** Deploys builds to destinations in stores. */
@Injectable()
export class StoreDeploymentCreation {
  constructor(
    @InjectRepository(Deployment) private readonly deployments: Repository<Deployment>,
    private readonly stores: StoreDeploymentsService,
    private readonly submissions: SubmissionsService,
  ) {}

  /**
   * Submits a build to a store: a job begins after the transaction. While a submission of the build to the destination is
   * open, the same request returns its deployment, because clients repeat requests whose response was lost.
   *
   * @throws NotFoundError for an unknown build or destination
   * @throws InvalidRequestError when build, destination and request do not fit
   * @throws ConflictError when a submission is open with other parameters, or many of the app are open
   */
  create(app: App, values: NewStoreDeployment): Promise<Deployment> {
    return transaction(async () => {
      const target = await this.stores.find(app.id, values);
      const options = optionsOf(target, values);
      const open = await this.findOpen(target, options);
      if (open !== null) return open;
      const id = uuid();
      await this.stores.submit(app, id, target, {
        ...options,
        acceptsNewSigner: values.acceptNewSigner ?? false,
      });
      const { rolloutPercentage, releaseNotes } = options;
      return insertOrThrow(this.deployments, {
        id,
        appId: app.id,
        buildId: target.build.id,
        destinationId: target.destination.id,
        rolloutPercentage,
        releaseNotes: releaseNotes === null ? null : { ...releaseNotes },
        createdByUserId: currentActor()?.userId ?? null,
      });
    });
  }

  /** At most one is open, which is the newest: the destination is locked. */
  private async findOpen(
    { build, destination }: StoreDeployment,
    options: ReleaseOptions,
  ): Promise<Deployment | null> {
    const newest = await this.deployments.findOne({
      where: { buildId: build.id, destinationId: destination.id },
      order: { sequence: 'DESC' },
    });
    const submission = newest && (await this.submissions.getMany([newest.id])).get(newest.id);
    if (!newest || !submission || !isOpen(submission)) return null;
    if (isDeepStrictEqual(optionsOfSubmission(submission), options)) return newest;
    throw new ConflictError(
      'The build is already being submitted to this destination, with other parameters: wait for its job, or cancel it.',
      'submission_open',
    );
  }
}

function isOpen({ state }: Submission): boolean {
  return openSubmissionStates.some((open) => open === state);
}

/** Notes that the request does not have are those of the build. */
function optionsOf({ build }: StoreDeployment, values: NewStoreDeployment): ReleaseOptions {
  return {
    releaseNotes: values.releaseNotes ?? build.releaseNotes,
    rolloutPercentage: values.rolloutPercentage ?? 1,
    inAppUpdatePriority: values.inAppUpdatePriority ?? null,
    cancelsReview: values.cancelRunningReview ?? false,
  };
}

function optionsOfSubmission(submission: Submission): ReleaseOptions {
  const { releaseNotes, userFraction: rolloutPercentage, inAppUpdatePriority, cancelsReview } = submission;
  return { releaseNotes, rolloutPercentage, inAppUpdatePriority, cancelsReview };
}
