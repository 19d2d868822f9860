import type { DataSource } from 'typeorm';
import type { SecretBox } from '../common/secrets/secret-box.js';

/** A column of texts that a `SecretBox` sealed, each with the context `<table>:<value of contextColumn>`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly contextColumn: string;
}

/** Rows that are read at a time. */
const BATCH = 500;
/** Smaller than every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The result for a column. */
export interface ResealResult {
  /** How many secrets are sealed under the current key now and were not before. */
  readonly resealed: number;
  /** Ids of the rows whose secret no key opens. */
  readonly unreadable: readonly string[];
}

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
  readonly owner: string;
}

/**
 * Seals the secrets of a column under the current key, unless they already are. Safe while servers run, and repeatable:
 * a secret that is replaced in the meantime is left unchanged.
 */
export async function reseal(
  database: DataSource,
  box: SecretBox,
  { table, column, contextColumn }: SealedColumn,
): Promise<ResealResult> {
  let resealed = 0;
  const unreadable: string[] = [];
  for (let last = FIRST_ID; ;) {
    const rows = await database.query<SealedRow[]>(
      `SELECT id, ${column} AS sealed, ${contextColumn} AS owner FROM ${table}
        WHERE id > $1 AND NOT starts_with(${column}, $2) ORDER BY id LIMIT ${BATCH}`,
      [last, box.currentPrefix],
    );
    for (const { id, sealed, owner } of rows) {
      const renewed = resealSecret(box, sealed, `${table}:${owner}`);
      if (renewed === null) {
        unreadable.push(id);
        continue;
      }
      const updated = await database.query<[unknown[], number]>(
        `UPDATE ${table} SET ${column} = $3 WHERE id = $1 AND ${column} = $2`,
        [id, sealed, renewed],
      );
      resealed += updated[1];
    }
    if (rows.length < BATCH) return { resealed, unreadable };
    last = rows.at(-1)?.id ?? last;
  }
}

/** @returns `null` when no key opens it */
function resealSecret(box: SecretBox, sealed: string, context: string): string | null {
  try {
    return box.seal(box.open(sealed, context), context);
  } catch {
    return null;
  }
}
