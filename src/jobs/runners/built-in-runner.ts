import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { hashToken } from '../../common/access/api-token.js';

/** The name of the built-in runner, by which later starts recognize it. Operators give it to no other runner. */
export const BUILT_IN_NAME = 'Built in';

/** A runner that a start of Slipway has registered; earlier versions did it for the first organization. */
const IS_BUILT_IN = '(runners.name = $1 AND runners.created_by IS NULL)';

/**
 * Whether a token is that of the one built-in runner, which serves all organizations.
 *
 * @param client of a process without a pool
 */
export async function isRegistered(client: pg.Client, token: string): Promise<boolean> {
  const { rows } = await client.query<{ isCurrent: boolean }>(
    `SELECT hash = $2 AND organization_id IS NULL AND expires_at IS NULL AS "isCurrent"
       FROM runners WHERE ${IS_BUILT_IN} OR hash = $2`,
    [BUILT_IN_NAME, hashToken(token)],
  );
  return rows.length === 1 && rows[0]?.isCurrent === true;
}

/**
 * Registers the built-in runner for all organizations. One that was registered before becomes it, with the new token: so jobs
 * that it has stay its own, and the former token is invalid. Others that were are deleted.
 *
 * @param former the token of an earlier start; `null`: it was lost
 */
export async function registerBuiltIn(
  client: pg.Client,
  token: string,
  former: string | null,
): Promise<void> {
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ id: string }>(
      `SELECT runners.id FROM runners LEFT JOIN runner_sessions AS session ON session.runner_id = runners.id
        WHERE ${IS_BUILT_IN} OR hash = $2
        ORDER BY hash = $2 DESC, session.last_seen_at DESC NULLS LAST, runners.id DESC FOR UPDATE OF runners`,
      [BUILT_IN_NAME, former === null ? '' : hashToken(former)],
    );
    const [kept, ...others] = rows.map(({ id }) => id);
    // The remaining leases expire.
    if (others.length > 0) await client.query('DELETE FROM runners WHERE id = ANY($1)', [others]);
    const values = [kept ?? uuid(), BUILT_IN_NAME, hashToken(token), token.slice(-4)];
    // What its organization may have set counts no longer: no one could change it.
    await client.query(
      kept === undefined
        ? 'INSERT INTO runners (id, organization_id, name, hash, last_four) VALUES ($1, NULL, $2, $3, $4)'
        : `UPDATE runners SET organization_id = NULL, name = $2, hash = $3, last_four = $4, previous_hash = NULL,
                  previous_expires_at = NULL, expires_at = NULL, labels = '{}', platforms = NULL, app_ids = NULL,
                  is_paused = false, created_by = NULL, updated_at = now() WHERE id = $1`,
      values,
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
