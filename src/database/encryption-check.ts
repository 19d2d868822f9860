import type { DataSource } from 'typeorm';
import type { SecretBox } from '../common/secrets/secret-box.js';

/** Of the only row. */
const ID = '00000000-0000-7000-8000-000000000001';
const VALUE = 'slipway';

/**
 * Whether one of the keys is that of the database, which is the one that the first server on it started with until
 * `slipway secrets reencrypt` replaces it.
 *
 * @param database with the newest schema
 */
export async function isKeyOfDatabase(database: DataSource, box: SecretBox): Promise<boolean> {
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
    // Of servers that start together, the first one decides.
    await database.query(
      'INSERT INTO encryption_checks (id, sealed_value) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [ID, box.seal(VALUE, context)],
    );
    sealed = await read();
  }
  try {
    return sealed !== undefined && box.open(sealed, context) === VALUE;
  } catch {
    return false;
  }
}
