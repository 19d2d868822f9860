import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { notFound, updateOrThrow } from '../../database/rows.js';
import { supersedePlans } from '../rollout-plans/end-plans.js';
import { Deployment } from './deployment.entity.js';
import { type Emergency, emergencyColumns } from './emergency.js';

/** What approvals and plans do with a deployment: each a part of a transaction that has locked it. */
@Injectable()
export class DeploymentTransitionsService {
  constructor(@InjectRepository(Deployment) private readonly deployments: Repository<Deployment>) {}

  /** A deployment that nobody else changes until the transaction ends. @throws NotFoundError */
  async lock(tx: EntityManager, appId: string, id: string): Promise<Deployment> {
    const deployments = tx.withRepository(this.deployments);
    const deployment = await deployments.findOne({
      where: { appId, id },
      lock: { mode: 'pessimistic_write' },
    });
    if (deployment === null) throw notFound(deployments);
    return deployment;
  }

  /** Lets a deployment be delivered that was not until now. @param emergency why it needs no approvals */
  async goLive(tx: EntityManager, { id }: Deployment, emergency: Emergency | null): Promise<Deployment> {
    const deployment = await updateOrThrow(
      tx.withRepository(this.deployments),
      { id },
      { approvalStatus: 'approved', ...emergencyColumns(emergency) },
    );
    await supersedePlans(tx, deployment);
    return deployment;
  }

  /** Lets a deployment never be delivered that was not until now. */
  reject(tx: EntityManager, { id }: Deployment): Promise<Deployment> {
    return updateOrThrow(tx.withRepository(this.deployments), { id }, { approvalStatus: 'rejected' });
  }

  /** Changes the share as a step of a plan does. */
  async setShare(tx: EntityManager, id: string, rolloutPercentage: number): Promise<void> {
    await updateOrThrow(tx.withRepository(this.deployments), { id }, { rolloutPercentage });
  }
}
