import { v7 as uuid } from 'uuid';
import { query } from '../../setup/databases.js';

/** Registers a runner of all organizations without a token, for leases that a test writes itself. @returns its id */
export async function insertRunner(databaseUrl: string): Promise<string> {
  const id = uuid();
  await query(databaseUrl, 'INSERT INTO runners (id, name, hash, last_four) VALUES ($1, $2, $3, $4)', [
    id,
    `Test ${id}`,
    id,
    'test',
  ]);
  return id;
}
