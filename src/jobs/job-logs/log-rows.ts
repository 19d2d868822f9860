import { sql } from '../../database/sql.js';
import { LOG_SLOTS } from './job-log.entity.js';

/** Begins the log of a job in the table of today, unless it has begun. */
export async function beginLog(jobId: string): Promise<void> {
  await sql(
    `INSERT INTO job_logs (id, slot) VALUES ($1, (extract(epoch FROM now())::bigint / 86400) % ${LOG_SLOTS})
     ON CONFLICT DO NOTHING`,
    [jobId],
  );
}
