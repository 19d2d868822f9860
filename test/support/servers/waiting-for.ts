import type pg from 'pg';

/**
 * How many connections wait for what a connection has locked, whatever else is locked meanwhile.
 *
 * @param holder asks itself: its transaction may be open
 */
export async function countWaitingFor(holder: pg.Client): Promise<number> {
  // Not `pg_stat_activity`, which stays as it was when a transaction read it first.
  const { rows } = await holder.query(
    'SELECT DISTINCT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))',
  );
  return rows.length;
}
