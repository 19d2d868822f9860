import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';

/** For a process that ends in between, or a database that is away: the store's refusals are counted in the task. */
export const BUILD_NUMBERS_QUEUE: QueueDefinition = {
  name: 'build-numbers',
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 60,
  expireInSeconds: 300,
  heartbeatSeconds: 60,
};

/** A build that waits for its number. */
export interface BuildNumberTask {
  readonly buildId: string;
  readonly organizationId: string;
  /** When it was requested, as ISO 8601. */
  readonly since: string;
  /** How often the store has refused for a while. */
  readonly attempts: number;
}

/** Requests numbers for builds whose configuration says `store`. `BuildNumbersWorker` asks the store. */
@Injectable()
export class BuildNumberRequests {
  constructor(private readonly queue: QueueService) {}

  /** Soon after the running transaction. The job of the build is held until then. */
  async request(buildId: string, organizationId: string): Promise<void> {
    const task = { buildId, organizationId, since: databaseNow().toISOString(), attempts: 0 };
    await this.queue.send(BUILD_NUMBERS_QUEUE, organizationId, task satisfies BuildNumberTask);
  }

  /** Once more, in the running transaction. */
  async requestLater(task: BuildNumberTask, afterSeconds: number): Promise<void> {
    const next: BuildNumberTask = { ...task, attempts: task.attempts + 1 };
    const startAfter = databaseNow(afterSeconds * 1000);
    await this.queue.send(BUILD_NUMBERS_QUEUE, task.organizationId, next, { startAfter });
  }
}
