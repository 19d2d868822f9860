import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase } from '../../setup/databases.js';
import { eventually } from '../eventually.js';
import { WebhookReceiver } from '../notifications/webhook-receiver.js';
import { ClockedPostgres } from './clocked-postgres.js';
import { LEASE_SECONDS } from './job-model.js';
import { Replica } from './replica.js';

const ENV = {
  JOB_LEASE_SECONDS: String(LEASE_SECONDS),
  RATE_LIMIT_TOKEN: '0',
  RATE_LIMIT_RUNNER: '0',
  DATABASE_POOL_SIZE: '5',
};

/** PostgreSQL and two replicas, which all runs of a simulation share: each run has an organization of its own. */
export class JobWorld {
  private constructor(
    private readonly folder: string,
    readonly postgres: ClockedPostgres,
    readonly databaseUrl: string,
    readonly replicas: readonly [Replica, Replica],
    /** Gets the events of each run, under the id of its organization. */
    readonly receiver: WebhookReceiver,
  ) {}

  /** @param env further environment variables of the replicas */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<JobWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-simulation-'));
    const postgres = await ClockedPostgres.start(folder);
    const databaseUrl = await cloneDatabase(postgres.url);
    const replica = (number: number): Promise<Replica> =>
      Replica.start(number, databaseUrl, folder, { ...ENV, ...env });
    const replicas = [await replica(0), await replica(1)] as const;
    return new JobWorld(folder, postgres, databaseUrl, replicas, await WebhookReceiver.start());
  }

  /** Waits until both replicas are ready, after what a former run did to them. */
  async settle(): Promise<void> {
    for (const replica of this.replicas) await eventually(() => replica.expectReady());
  }

  async stop(): Promise<void> {
    for (const replica of this.replicas) await replica.stop();
    await this.receiver.stop();
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
