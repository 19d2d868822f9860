import { randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppChanges } from '../../apps/apps/app-changes.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { CustomIds, hashCustomId } from '../check-ins/custom-ids.js';
import { CustomIdHashingQueries } from './custom-id-hashing.queries.js';

const QUEUE: QueueDefinition = {
  name: 'custom-id-hashing',
  retryLimit: 40,
  retryDelay: 3,
  retryDelayMax: 3600,
  expireInSeconds: 3600,
  // Devices continue to check in.
  runsWhenSuspended: true,
};

/**
 * Seconds after which every check that began before hashing was switched on has ended: a statement takes 60 at
 * most.
 */
const CHECKS_ARE_OVER = 120;

interface Job {
  readonly appId: string;
}

/** Hashes the custom ids that were there before an app wanted hashes. */
@Injectable()
export class CustomIdHashingService implements OnModuleInit {
  constructor(
    private readonly queries: CustomIdHashingQueries,
    private readonly box: SecretBox,
    private readonly customIds: CustomIds,
    private readonly changes: AppChanges,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.changes.customIdHashingRequested.register((appId, organizationId) =>
      this.begin(appId, organizationId),
    );
    this.queue.handle<Job>(QUEUE, ({ appId }) => this.hashAll(appId));
  }

  /** Creates the key of an app, unless it has one, and starts to hash the existing custom ids. */
  private async begin(appId: string, organizationId: string): Promise<void> {
    const key = randomBytes(32).toString('base64');
    await this.queries.insertKey(appId, this.box.seal(key, `custom_id_keys:${appId}`));
    await this.queue.send(QUEUE, organizationId, { appId } satisfies Job);
    const startAfter = new Date(Date.now() + CHECKS_ARE_OVER * 1000);
    await this.queue.send(QUEUE, organizationId, { appId } satisfies Job, { startAfter });
  }

  /**
   * In batches, so that a check never waits for long. Does nothing for apps that have switched hashing off in the
   * meantime.
   */
  private async hashAll(appId: string): Promise<void> {
    const { key } = await this.customIds.settingOf(appId);
    if (key === null) return;
    for (let last: string | undefined = ''; last !== undefined;)
      last = await this.hashBatch(appId, key, last);
  }

  /** @returns the id of the last device of the batch; `undefined` when there was none */
  private async hashBatch(appId: string, key: Buffer, after: string): Promise<string | undefined> {
    const devices = await this.queries.batch(appId, after);
    const hashes = devices.map(({ customId }) => hashCustomId(key, customId));
    await this.queries.replace(appId, devices, hashes);
    return devices.at(-1)?.id;
  }
}
