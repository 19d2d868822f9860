import type { Tenant } from '../../builders/identities.js';
import { eventually } from '../eventually.js';
import type { OwnSite } from '../servers/own-site.js';

/** As the command does it, which takes seconds to start. */
export async function suspend(site: OwnSite, { organizationId }: Tenant): Promise<void> {
  await site.query(
    `UPDATE organizations SET suspended_at = now(), suspension_reason = 'Unpaid since May.' WHERE id = $1`,
    [organizationId],
  );
}

/** As the command does it. What the queue looks at again in minutes is due now. */
export async function resume(site: OwnSite, { organizationId }: Tenant): Promise<void> {
  await site.query(
    'UPDATE organizations SET suspended_at = NULL, suspension_reason = NULL, resumed_at = now() WHERE id = $1',
    [organizationId],
  );
  await site.query(`UPDATE queue.job SET start_after = now() WHERE group_tier = $1 AND state = 'created'`, [
    organizationId,
  ]);
}

/** Suspends the organization between what causes a job of the queue and that job. */
export async function suspendBefore(
  site: OwnSite,
  tenant: Tenant,
  queue: string,
  cause: () => Promise<unknown>,
): Promise<void> {
  await site.query(`
    CREATE OR REPLACE FUNCTION delay_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.name = TG_ARGV[0] THEN NEW.start_after = now() + interval '1 hour'; END IF;
      RETURN NEW;
    END $$`);
  await site.query(
    `CREATE TRIGGER delay_job BEFORE INSERT ON queue.job FOR EACH ROW EXECUTE FUNCTION delay_job('${queue}')`,
  );
  const delayed = `name = $1 AND group_tier = $2 AND state = 'created' AND start_after > now()`;
  try {
    await cause();
    await eventually(async () => {
      const jobs = await site.query(`SELECT FROM queue.job WHERE ${delayed}`, [queue, tenant.organizationId]);
      expect(jobs).toHaveLength(1);
    });
  } finally {
    await site.query('DROP TRIGGER delay_job ON queue.job');
  }
  await suspend(site, tenant);
  await site.query(`UPDATE queue.job SET start_after = now() WHERE ${delayed}`, [
    queue,
    tenant.organizationId,
  ]);
}

/** Waits until a job of the queue was looked at, and is to be looked at again in some minutes, and only then. */
export async function expectPutOff(site: OwnSite, queue: string, key: string, id: string): Promise<void> {
  await eventually(async () => {
    const jobs = await site.query(
      `SELECT state, start_after > now() + interval '4 minutes' AS "isLater" FROM queue.job
        WHERE name = $1 AND data ->> $2 = $3 AND state <> 'completed'`,
      [queue, key, id],
    );
    expect(jobs).toEqual([{ state: 'created', isLater: true }]);
  });
}
