import { JOBS } from '../../database/notifications.js';
import { sql } from '../../database/sql.js';

/** Announces to all replicas, at the commit, that runners may find a job of the organization. */
export async function announceJobs(organizationId: string): Promise<void> {
  await sql('SELECT pg_notify($1, $2)', [JOBS, organizationId]);
}
