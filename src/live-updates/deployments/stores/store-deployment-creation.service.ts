import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { UsersService } from '../../../accounts/users/users.service.js';
import type { Destination } from '../../../app-submissions/destinations/destination.entity.js';
import {
  openSubmissionStates,
  type Submission,
} from '../../../app-submissions/submissions/submission.entity.js';
import { SubmissionsService } from '../../../app-submissions/submissions/submissions.service.js';
import type { App } from '../../../apps/apps/app.entity.js';
import { databaseNow } from '../../../common/database-clock.js';
import { errorOf } from '../../../common/errors/app-error.js';
import { assertNotFrozen } from '../../../common/freezes/freeze.js';
import { insertOrThrow } from '../../../database/rows.js';
import { currentActor } from '../../../database/transactions/actor.js';
import { transaction } from '../../../database/transactions/transaction.js';
import { DeploymentEvents } from '../../deployment-events/deployment-events.service.js';
import type { ReleaseOptions } from '../../store-deployments/requested-release.js';
import { presentedNew } from '../../store-deployments/store-deployments.presenter.js';
import {
  type StoreDeployment,
  StoreDeploymentsService,
  type StoreTarget,
} from '../../store-deployments/store-deployments.service.js';
import { DeploymentChanges } from '../deployment-changes.js';
import { toDeploymentDto } from '../deployment.dto.js';
import { Deployment } from '../deployment.entity.js';
import { type Emergency, emergencyColumns } from '../emergency.js';
import { StoreDeploymentTransitions } from './store-deployment-transitions.service.js';

/** Deploys builds to destinations in stores. */
@Injectable()
export class StoreDeploymentCreation {
  constructor(
    @InjectRepository(Deployment) private readonly deployments: Repository<Deployment>,
    private readonly stores: StoreDeploymentsService,
    private readonly submissions: SubmissionsService,
    private readonly transitions: StoreDeploymentTransitions,
    private readonly changes: DeploymentChanges,
    private readonly users: UsersService,
    private readonly events: DeploymentEvents,
  ) {}

  /**
   * Submits a build to a store: a job begins after the transaction, or after the last approval that the destination requires.
   * While a submission of the build to the destination is open, the same request returns its deployment, because clients
   * repeat requests whose response was lost.
   *
   * @throws NotFoundError for an unknown build or destination
   * @throws InvalidRequestError when build, destination and request do not fit
   * @throws ConflictError when a submission is open with other parameters, the version was submitted before, the destination
   *   is frozen, or many submissions of the app are open
   */
  create(app: App, values: NewStoreDeployment): Promise<Deployment> {
    const emergency = values.emergency ?? null;
    return transaction(async () => {
      const target = await this.stores.find(app.id, values);
      const options = optionsOf(target, values);
      const open = await this.findOpen(target, options);
      if (open !== null) return this.repeat(open, emergency);
      const content = await this.stores.prepare(app.id, target, {
        ...options,
        acceptsNewSigner: values.acceptNewSigner ?? false,
        isForced: values.force ?? false,
      });
      const { build, destination } = target;
      if (emergency === null) requireNotFrozen(destination, options);
      const { requiredApprovals } = destination;
      const needsApproval = emergency === null && requiredApprovals > 0;
      const id = uuid();
      const waits = needsApproval ? waitsForApprovals(requiredApprovals, await this.authorName()) : null;
      const submission = await this.stores.submit(app, id, destination, content, options, waits);
      const { rolloutPercentage, releaseNotes } = options;
      const deployment = await insertOrThrow(this.deployments, {
        id,
        appId: app.id,
        buildId: build.id,
        destinationId: destination.id,
        rolloutPercentage,
        releaseNotes: releaseNotes === null ? null : { ...releaseNotes },
        approvalStatus: needsApproval ? 'pending' : 'approved',
        requiredApprovals,
        createdByUserId: currentActor()?.userId ?? null,
        updatedByUserId: currentActor()?.userId ?? null,
        comment: values.comment ?? null,
        ...emergencyColumns(emergency),
      });
      // Without the name of the author.
      const message = needsApproval ? waitsForApprovals(requiredApprovals, null) : submission.message;
      const store = presentedNew(destination, { ...submission, message });
      await this.events.created(toDeploymentDto(deployment, null, { store }));
      if (emergency !== null) await this.transitions.recordOverride(deployment, emergency, content.action);
      if (needsApproval) {
        await this.events.approvalRequested(deployment);
        await this.changes.waitsForApprovals.notify(deployment);
      }
      return deployment;
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
    if (!newest || !submission || !openSubmissionStates.some((open) => open === submission.state))
      return null;
    if (isDeepStrictEqual(optionsOfSubmission(submission), options)) return newest;
    throw errorOf('submission_open');
  }

  /** An emergency lets an open deployment begin that waits for approvals. */
  private async repeat(open: Deployment, emergency: Emergency | null): Promise<Deployment> {
    if (emergency === null || open.approvalStatus !== 'pending') return open;
    const locked = await this.transitions.lock(open);
    return locked.approvalStatus === 'pending' ? this.transitions.begin(locked, emergency) : locked;
  }

  /** @returns `null`: no user deploys */
  private async authorName(): Promise<string | null> {
    const userId = currentActor()?.userId ?? null;
    return userId === null ? null : this.users.nameOf(userId);
  }
}

/** Neither now, nor when the App Store is to release it. @throws ConflictError */
function requireNotFrozen(destination: Destination, { earliestReleaseAt }: ReleaseOptions): void {
  assertNotFrozen(destination, databaseNow(), 'destination');
  if (earliestReleaseAt !== null) assertNotFrozen(destination, earliestReleaseAt, 'destination');
}

/**
 * Says for whom a deployment waits: the first line of the log of its job.
 *
 * @param people that must approve it, at least 1
 * @param author who has created it, by name; `null`: the user was deleted
 */
function waitsForApprovals(people: number, author: string | null): string {
  const count = people === 1 ? '1 person' : `${people} people`;
  const others = author === null ? '' : ` other than ${author}, who has created the deployment`;
  return `Waits for the approval of ${count}${others}.`;
}

interface NewStoreDeployment extends StoreTarget {
  readonly rolloutPercentage?: number | null;
  readonly releaseNotes?: Record<string, string> | null;
  readonly inAppUpdatePriority?: number | null;
  readonly cancelRunningReview?: boolean | null;
  readonly acceptNewSigner?: boolean | null;
  readonly appleEarliestReleaseDate?: Date | null;
  /** Submits a version again. */
  readonly force?: boolean | null;
  /** Overrides approvals and freezes. */
  readonly emergency?: Emergency | null;
  /** What the user says who deploys. */
  readonly comment?: string | null;
}

/** How a request wants the release. Notes that it does not have are those of the build. */
function optionsOf({ build }: StoreDeployment, values: NewStoreDeployment): ReleaseOptions {
  return {
    releaseNotes: values.releaseNotes ?? build.releaseNotes,
    rolloutPercentage: values.rolloutPercentage ?? 1,
    inAppUpdatePriority: values.inAppUpdatePriority ?? null,
    cancelsReview: values.cancelRunningReview ?? false,
    earliestReleaseAt: values.appleEarliestReleaseDate ?? null,
  };
}

/** How the request wanted it that has made a submission. */
function optionsOfSubmission(submission: Submission): ReleaseOptions {
  const { releaseNotes, userFraction, inAppUpdatePriority, cancelsReview, earliestReleaseAt } = submission;
  return {
    releaseNotes,
    rolloutPercentage: userFraction,
    inAppUpdatePriority,
    cancelsReview,
    earliestReleaseAt,
  };
}
