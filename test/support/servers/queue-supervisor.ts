import { PgBoss } from 'pg-boss';
import { query, TEST_NAME } from '../../setup/databases.js';

/**
 * Finds out within seconds that a process with a job of the queue has died, as servers do within two minutes: a queue of
 * its own that takes no jobs, and signs of life of jobs that are due sooner.
 */
export class QueueSupervisor {
  private constructor(
    private readonly boss: PgBoss,
    private readonly databaseUrl: string,
  ) {}

  static async start(databaseUrl: string): Promise<QueueSupervisor> {
    // Servers write the settings of their queues when they start. Ten seconds are the least.
    await query(
      databaseUrl,
      `CREATE FUNCTION queue.supervise_quickly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         NEW.heartbeat_seconds := least(NEW.heartbeat_seconds, 10);
         NEW.retry_delay := least(NEW.retry_delay, 1);
         NEW.retry_delay_max := least(NEW.retry_delay_max, 1);
         RETURN NEW;
       END $$`,
    );
    await query(
      databaseUrl,
      `CREATE TRIGGER supervise_quickly BEFORE INSERT OR UPDATE ON queue.queue
         FOR EACH ROW EXECUTE FUNCTION queue.supervise_quickly()`,
    );
    await query(databaseUrl, 'UPDATE queue.queue SET updated_on = now()');
    const boss = new PgBoss({
      connectionString: databaseUrl,
      application_name: TEST_NAME,
      schema: 'queue',
      schedule: false,
      superviseIntervalSeconds: 1,
      monitorIntervalSeconds: 1,
    });
    boss.on('error', () => undefined);
    await boss.start();
    return new QueueSupervisor(boss, databaseUrl);
  }

  /** Finds it out at once of everything that runs: all processes have died, or have lost the database. */
  async expireHeartbeats(): Promise<void> {
    await query(this.databaseUrl, `UPDATE queue.job SET heartbeat_on = '-infinity' WHERE state = 'active'`);
  }

  stop(): Promise<void> {
    return this.boss.stop({ graceful: false });
  }
}
