import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, type Repository } from 'typeorm';
import { ReleaseChanges } from '../../../app-submissions/releases/release-changes.js';
import type { ReleaseStatus, StoreRelease } from '../../../app-submissions/releases/store-release.entity.js';
import { Deployment } from '../deployment.entity.js';

/** Statuses in which users get a release, or did. */
const WITH_USERS: readonly ReleaseStatus[] = ['rolling_out', 'halted', 'paused', 'released'];

/** Lets the share of a deployment to a store follow the one that the store has. */
@Injectable()
export class StoreShareFollower implements OnModuleInit {
  constructor(
    @InjectRepository(Deployment) private readonly deployments: Repository<Deployment>,
    private readonly changes: ReleaseChanges,
  ) {}

  onModuleInit(): void {
    this.changes.moved.register((release) => this.follow(release));
  }

  /** The deployment may be gone. */
  private async follow({ id, status, userFraction }: StoreRelease): Promise<void> {
    if (userFraction === null || !WITH_USERS.includes(status)) return;
    await this.deployments.update(
      { id, rolloutPercentage: Not(userFraction) },
      { rolloutPercentage: userFraction, updatedByUserId: null },
    );
  }
}
