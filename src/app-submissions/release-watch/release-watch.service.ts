import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { AppsService } from '../../apps/apps/apps.service.js';
import { databaseNow } from '../../common/database-clock.js';
import { Config } from '../../config/config.js';
import { afterCommit, outsideTransaction, transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { ReleaseChanges } from '../releases/release-changes.js';
import type { StoreRelease } from '../releases/store-release.entity.js';
import { StoreReleases } from '../releases/store-releases.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import { type LookTimes, nextLook } from './look-schedule.js';

/** A look that throws is about this server, such as its database, so it is tried again for two days. */
export const RELEASE_LOOKS_QUEUE: QueueDefinition = {
  name: 'release-looks',
  retryLimit: 60,
  retryDelay: 5,
  retryDelayMax: 3600,
  // Above the longest look: a few calls of 20 seconds each.
  expireInSeconds: 300,
  heartbeatSeconds: 60,
  // After months without a server, looks continue where they stopped.
  retentionSeconds: 365 * 24 * 3600,
};

/** A look that is planned. */
export interface LookJob {
  readonly releaseId: string;
  readonly organizationId: string;
  /** `nextLookAt` of the release when the look was planned: with another one, the job does nothing. In ISO 8601. */
  readonly dueAt: string;
}

/** What is said when a status lasts too long. */
const STOPPED = 'Slipway has stopped asking the store after 90 days: look there.';

/** A release that was looked at within so many milliseconds is not looked at again because of a refused request. */
const FRESH = 10_000;

/** Seconds from which a planned look is late, such as one that the queue has given up after an outage of days. */
const LATE = 3600;
/** Late looks that are planned again at once. */
const BATCH = 500;

/** Plans when stores are asked where releases are. */
@Injectable()
export class ReleaseWatch implements OnModuleInit {
  private readonly logger = new Logger(ReleaseWatch.name);

  constructor(
    private readonly releases: StoreReleases,
    private readonly submissions: SubmissionsService,
    private readonly changes: ReleaseChanges,
    private readonly apps: AppsService,
    private readonly config: Config,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.changes.recorded.register((release) => this.planNext(release));
    this.changes.moved.register((release, before) => this.lookAtOthers(release, before));
    this.changes.actionEnded.register(async ({ submission, hasSucceeded }) => {
      // Whether a change has happened all the same, the store knows.
      if (!hasSucceeded) await this.lookSoon(submission.releaseId ?? submission.id);
    });
    this.changes.finished.register(({ id, releaseId }) => this.lookSoon(releaseId ?? id));
    this.changes.refused.register((release) => {
      this.lookAfterRefusal(release);
      return Promise.resolve();
    });
    this.queue.schedule({
      name: 'lost-release-looks',
      cron: '45 * * * *',
      timeoutSeconds: 600,
      run: () => this.planLostLooks(),
    });
  }

  /** For the schedule. */
  get times(): LookTimes {
    return { base: this.config.stores.releaseWatchSeconds, random: Math.random() };
  }

  /** Plans the next look at a release that is locked. @param seconds from now; `null`: none */
  async plan(release: StoreRelease, seconds: number | null): Promise<void> {
    const nextLookAt = seconds === null ? null : databaseNow(Math.round(seconds * 1000));
    await this.releases.planLook(release.id, { nextLookAt });
    if (nextLookAt === null) return;
    const { organizationId } = await this.apps.get(release.appId);
    const job: LookJob = { releaseId: release.id, organizationId, dueAt: nextLookAt.toISOString() };
    const options = seconds === 0 ? {} : { startAfter: nextLookAt };
    await this.queue.send(RELEASE_LOOKS_QUEUE, organizationId, job, options);
  }

  /** Looks at a release immediately, after the running transaction. Does nothing without one. */
  async lookSoon(id: string): Promise<void> {
    const release = await this.releases.lock(id);
    if (release !== null) await this.plan(release, 0);
  }

  private async planLostLooks(): Promise<void> {
    for (const { id } of await this.releases.late(LATE, BATCH)) await transaction(() => this.lookSoon(id));
  }

  private async planNext(release: StoreRelease): Promise<void> {
    const seconds = nextLook(release, databaseNow(), this.times);
    await this.plan(release, seconds);
    const isOver =
      release.status === 'released' || release.status === 'replaced' || release.status === 'removed';
    if (seconds !== null || isOver) return;
    await this.releases.planLook(release.id, { message: `${release.message} ${STOPPED}` });
  }

  /** A release that users get may have replaced others of the same place. After the commit, because it locks these. */
  private lookAtOthers({ id, status }: StoreRelease, before: StoreRelease | null): Promise<void> {
    const isNew = status !== before?.status && (status === 'rolling_out' || status === 'released');
    if (isNew) afterCommit(() => this.inBackground(() => this.lookAtNeighbours(id)));
    return Promise.resolve();
  }

  private async lookAtNeighbours(id: string): Promise<void> {
    const neighbours = await this.submissions.ofSamePlace(id);
    const releases = await this.releases.getMany(neighbours.map((neighbour) => neighbour.id));
    for (const { id: other, status } of releases.values()) {
      if (status !== 'replaced' && status !== 'removed') await transaction(() => this.lookSoon(other));
    }
  }

  /** What is known of a release may be old: then the same request succeeds soon. */
  private lookAfterRefusal({ id, lookedAt }: StoreRelease): void {
    if (lookedAt !== null && databaseNow().getTime() - lookedAt.getTime() < FRESH) return;
    // The transaction of the request is rolled back, and holds the lock until then.
    outsideTransaction(() => this.inBackground(() => transaction(() => this.lookSoon(id))));
  }

  private inBackground(work: () => Promise<void>): void {
    work().catch((err: unknown) =>
      this.logger.warn({ err }, 'A release is not looked at sooner, and is looked at later'),
    );
  }
}
