import { eventually } from '../eventually.js';
import type { OwnSite } from './own-site.js';

/** Lets the server of a site do now what it does on a schedule. @param queue such as `build-retention` */
export async function runQueue(site: OwnSite, queue: string): Promise<void> {
  await site.query(`INSERT INTO queue.job (name, data, retry_limit) VALUES ($1, '{}', 0)`, [queue]);
  await eventually(async () => {
    const left = await site.query(
      `SELECT state FROM queue.job WHERE name = $1 AND state IN ('created', 'active')`,
      [queue],
    );
    expect(left).toEqual([]);
  });
  const failed = await site.query(
    `DELETE FROM queue.job WHERE name = $1 AND state = 'failed' RETURNING output`,
    [queue],
  );
  expect(failed).toEqual([]);
}
