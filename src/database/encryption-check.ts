import type { DataSource } from 'typeorm';
import type { SecretBox } from '../common/secrets/secret-box.js';
import type { SealedColumn } from './reseal.js';

/** Of the only row. */
const ID = '00000000-0000-7000-8000-000000000001';
const VALUE = 'slipway';

/**
 * Whether one of the keys is that of the database, which is the one that the first server on it started with until
 * `slipway secrets reencrypt` replaces it.
 *
 * @param database with the newest schema
 * @param columns every column that holds secrets
 */
export async function isKeyOfDatabase(
  database: DataSource,
  box: SecretBox,
  columns: readonly SealedColumn[],
): Promise<boolean> {
  const context = `encryption_checks:${ID}`;
  const read = async (): Promise<string | undefined> => {
    const rows = await database.query<{ sealed: string }[]>(
      'SELECT sealed_value AS sealed FROM encryption_checks WHERE id = $1',
      [ID],
    );
    return rows[0]?.sealed;
  };
  let sealed = await read();
  if (sealed === undefined) {
    if (!(await opensASecret(database, box, columns))) return false;
    // Of servers that start together, the first one decides.
    await database.query(
      'INSERT INTO encryption_checks (id, sealed_value) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [ID, box.seal(VALUE, context)],
    );
    sealed = await read();
  }
  return sealed !== undefined && opens(box, sealed, context);
}

/** For a database that is older than the check: whether one of its secrets opens, or it has none. */
async function opensASecret(
  database: DataSource,
  box: SecretBox,
  columns: readonly SealedColumn[],
): Promise<boolean> {
  let found = false;
  for (const column of columns) {
    const secret = await newestOf(database, column);
    if (secret === null) continue;
    if (opens(box, secret.sealed, `${column.table}:${secret.owner}`)) return true;
    found = true;
  }
  return !found;
}

async function newestOf(
  database: DataSource,
  { table, column, contextColumn }: SealedColumn,
): Promise<{ sealed: string; owner: string } | null> {
  const rows = await database.query<{ sealed: string; owner: string }[]>(
    `SELECT ${column} AS sealed, ${contextColumn} AS owner FROM ${table}
      WHERE ${column} IS NOT NULL ORDER BY id DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

function opens(box: SecretBox, sealed: string, context: string): boolean {
  try {
    box.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}
