import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConditionsQueries } from '../../events/event-conditions.queries.js';
import { ThresholdEvents } from '../../events/threshold-events.service.js';
import { QueueService } from '../../queue/queue.service.js';
import { DeploymentEvents } from '../deployment-events/deployment-events.service.js';
import type { Health } from '../rollout-plans/rollout-plan.entity.js';
import { appRollbacksHigh } from './deployment-health.events.js';
import { DeploymentHealthQueries } from './deployment-health.queries.js';
import { IS_REPLACED, RollbackSharesQueries } from './rollback-shares.queries.js';

/** Shares of devices that rolled back at which a deployment has an event, the highest last. */
const SHARES: readonly number[] = [0.05, 0.2];

/** With fewer devices that ran the bundle, a share says little. */
const MIN_APPLIED = 20;

/** Fewer devices that rolled back may be chance: a device with a full disk, or a user who reinstalls. */
const MIN_ROLLED_BACK = 3;

/** Part of a share below which it may be crossed again. */
const CLEARED_BELOW = 0.5;

/** How devices responded to a deployment. */
type Counts = Pick<Health, 'applied' | 'rolledBack'>;

/** All of them. */
const shareThresholds = SHARES.map(nameOf);

const KIND = 'rollbacks-high';
/** Deployments that are counted in one statement. */
const BATCH = 20;

/** Records an event when many devices roll back the newest deployment of a channel. */
@Injectable()
export class RollbackShares implements OnModuleInit {
  constructor(
    private readonly queries: RollbackSharesQueries,
    private readonly health: DeploymentHealthQueries,
    private readonly deployments: DeploymentEvents,
    private readonly conditions: EventConditionsQueries,
    private readonly thresholds: ThresholdEvents,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'rollback-shares',
      cron: '*/10 * * * *',
      timeoutSeconds: 300,
      retryLimit: 0,
      run: () => this.run(),
    });
  }

  private async run(): Promise<void> {
    for (const threshold of shareThresholds) await this.conditions.clearWhere(KIND, threshold, IS_REPLACED);
    let after: string | null = null;
    do {
      const watched = await this.queries.watched(KIND, after, BATCH);
      const counts = await this.health.countMany(watched);
      for (const [id, health] of counts) await this.compare(id, health);
      after = watched.length < BATCH ? null : (watched.at(-1)?.deploymentId ?? null);
    } while (after !== null);
  }

  private async compare(id: string, health: Health): Promise<void> {
    const cleared = clearedShares(health);
    if (cleared.length > 0) await this.conditions.clear(id, KIND, cleared);
    const crossed = crossedShares(health);
    if (crossed.length === 0) return;
    const { applied, rolledBack } = health;
    const happening = await this.deployments.happening(appRollbacksHigh, id, {
      appliedDevices: applied,
      rolledBackDevices: rolledBack,
      rollbackShare: rolledBack / applied,
      threshold: Number(crossed.at(-1)),
    });
    if (happening !== null) await this.thresholds.cross(appRollbacksHigh, KIND, crossed, happening);
  }
}

/** The shares that are crossed, as names of thresholds, the highest last. */
export function crossedShares({ applied, rolledBack }: Counts): string[] {
  if (applied < MIN_APPLIED || rolledBack < MIN_ROLLED_BACK) return [];
  return SHARES.filter((share) => rolledBack >= share * applied).map(nameOf);
}

/** The shares that may be crossed again: the share of now is half of them or less, so it does not swing around them. */
export function clearedShares({ applied, rolledBack }: Counts): string[] {
  return SHARES.filter((share) => rolledBack < share * applied * CLEARED_BELOW).map(nameOf);
}

function nameOf(share: number): string {
  return String(share);
}
