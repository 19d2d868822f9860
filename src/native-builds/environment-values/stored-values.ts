import { ConflictError } from '../../common/errors/app-error.js';
import { sql, sqlCount } from '../../database/sql.js';
import type { Environment } from '../environments/environment.entity.js';
import { MAX_TOTAL_BYTES, MAX_VALUES } from './environment-value.decorators.js';

/*
 * SQL that variables and secrets share. The callers hold the lock of the environment, so that no two of them write its
 * rows at once: limits are exact, and none waits for another in the middle.
 */

/** Where values are stored: the table, the column of the value, and the sentence for an environment that has too many. */
export const variableStore = {
  table: 'environment_variables',
  /** SQL: the bytes of a value. */
  bytes: 'octet_length(value)',
  full: `An environment has at most ${MAX_VALUES} variables of ${MAX_TOTAL_BYTES} bytes in total.`,
} as const;

export const secretStore = {
  table: 'environment_secrets',
  // Sealed, and then written in Base64.
  bytes: 'octet_length(sealed_value) * 3 / 4',
  full: `An environment has at most ${MAX_VALUES} secrets of ${MAX_TOTAL_BYTES} bytes in total.`,
} as const;

type Store = typeof variableStore | typeof secretStore;

/** The ids of those keys that the environment has. */
export async function idsByKey(
  { table }: Store,
  { id }: Environment,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; key: string }>(
    `SELECT id, key FROM ${table} WHERE environment_id = $1 AND key = ANY ($2)`,
    [id, keys],
  );
  return new Map(rows.map((row) => [row.key, row.id]));
}

/** Removes keys; unknown ones are ignored. */
export async function unset({ table }: Store, { id }: Environment, keys: readonly string[]): Promise<void> {
  await sqlCount(`DELETE FROM ${table} WHERE environment_id = $1 AND key = ANY ($2)`, [id, keys]);
}

/** @throws ConflictError when the environment has more than fits, after a write that this undoes */
export async function requireRoom({ table, bytes, full }: Store, { id }: Environment): Promise<void> {
  const [found] = await sql<{ count: number; bytes: number }>(
    `SELECT count(*)::int AS count, coalesce(sum(octet_length(key) + ${bytes}), 0)::int AS bytes
       FROM ${table} WHERE environment_id = $1`,
    [id],
  );
  if (found === undefined || (found.count <= MAX_VALUES && found.bytes <= MAX_TOTAL_BYTES)) return;
  throw new ConflictError(full, 'environment_full');
}
