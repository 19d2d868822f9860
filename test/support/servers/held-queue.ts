import { type LimitedQueue, queueLimits } from '../../../src/common/background/shared-capacity.js';
import type { OwnSite } from './own-site.js';

/** An account has as many jobs of a queue as may run: further ones wait. @param account the user who founded it */
export async function holdQueue(site: OwnSite, queue: LimitedQueue, account: string): Promise<void> {
  await site.query(
    `INSERT INTO queue.job (name, data, state, group_id, started_on, expire_seconds)
     SELECT $1, '{}', 'active', $2, now(), 3600 FROM generate_series(1, $3)`,
    [queue, account, queueLimits[queue].perAccount],
  );
}

/** Ends what `holdQueue` began. */
export async function releaseQueue(site: OwnSite, account: string): Promise<void> {
  await site.query(`DELETE FROM queue.job WHERE group_id = $1 AND data = '{}'`, [account]);
}
