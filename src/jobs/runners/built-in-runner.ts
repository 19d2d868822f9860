import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { hashToken } from '../../common/access/api-token.js';

const NAME = 'Built in';

/** Whether a token is that of a runner, and has not expired. @param client of a process without a pool */
export async function isRegistered(client: pg.Client, token: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM runners WHERE hash = $1 AND (expires_at IS NULL OR expires_at > now())',
    [hashToken(token)],
  );
  return rowCount === 1;
}

/** Registers the built-in runner for the first organization. @returns whether there is an organization */
export async function registerBuiltIn(client: pg.Client, token: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO runners (id, organization_id, name, hash, last_four)
     SELECT $1, id, $2, $3, $4 FROM organizations ORDER BY created_at, id LIMIT 1`,
    [uuid(), NAME, hashToken(token), token.slice(-4)],
  );
  return rowCount === 1;
}
