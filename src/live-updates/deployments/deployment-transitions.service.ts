import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { notFound, updateOrThrow } from '../../database/rows.js';
import { supersedePlans } from '../rollout-plans/end-plans.js';
import { Deployment } from './deployment.entity.js';
import { type Emergency, emergencyColumns } from './emergency.js';

/** What approvals and plans do with a deployment: each a part of a transaction that has locked it. */
@Injectable()
export class DeploymentTransitionsService {
  constructor(@InjectRepository(Deployment) private readonly deployments: Repository<Deployment>) {}

  /** A deployment that nobody else changes until the transaction ends. @throws NotFoundError */
  async lock(appId: string, id: string): Promise<Deployment> {
    const deployments = this.deployments;
    const deployment = await deployments.findOne({
      where: { appId, id },
      lock: { mode: 'pessimistic_write' },
    });
    if (deployment === null) throw notFound(deployments);
    return deployment;
  }

  /** Lets a deployment be delivered that was not until now. @param emergency why it needs no approvals */
  async goLive({ id }: Deployment, emergency: Emergency | null): Promise<Deployment> {
    const deployment = await updateOrThrow(
      this.deployments,
      { id },
      { approvalStatus: 'approved', ...emergencyColumns(emergency) },
    );
    await supersedePlans(deployment);
    return deployment;
  }

  /** Lets a deployment never be delivered that was not until now. */
  reject({ id }: Deployment): Promise<Deployment> {
    return updateOrThrow(this.deployments, { id }, { approvalStatus: 'rejected' });
  }

  /** Changes the share as a step of a plan does. */
  async setShare(id: string, rolloutPercentage: number): Promise<void> {
    await updateOrThrow(this.deployments, { id }, { rolloutPercentage });
  }
}
