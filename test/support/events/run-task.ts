import type { Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../eventually.js';

/**
 * Lets the common server do now what it does on a schedule.
 *
 * @param task such as `channel-expiry`
 * @param site the server, where it is another one
 */
export async function runTask(
  task: string,
  { databaseUrl }: Pick<Site, 'databaseUrl'> = testEnvironment(),
): Promise<void> {
  const [job] = await query<{ id: string }>(
    databaseUrl,
    `INSERT INTO queue.job (name, data, retry_limit) VALUES ($1, '{}', 0) RETURNING id`,
    [task],
  );
  await eventually(async () => {
    const jobs = await query(databaseUrl, 'SELECT state FROM queue.job WHERE id = $1', [job?.id]);
    expect(jobs).toEqual([{ state: 'completed' }]);
  });
}
