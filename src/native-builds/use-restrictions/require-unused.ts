import { ConflictError } from '../../common/errors/app-error.js';
import { sql } from '../../database/sql.js';

/**
 * Keeps what a build is going to use: without it, the build would be unsigned, or lack its variables. Call it with the row
 * locked.
 *
 * @throws ConflictError
 */
export async function requireUnused(what: 'certificate' | 'environment', id: string): Promise<void> {
  const builds = await sql(
    `SELECT FROM builds JOIN jobs ON jobs.id = builds.job_id
      WHERE builds.${what}_id = $1 AND jobs.finished_at IS NULL LIMIT 1`,
    [id],
  );
  if (builds.length > 0) throw new ConflictError(`A build that has not ended uses the ${what}.`);
}
