import { v7 as uuid } from 'uuid';
import { hashToken } from '../../src/common/access/api-token.js';
import { generateSessionToken } from '../../src/common/access/session-token.js';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';

/** A session of a user, written to the database directly because making one takes a person at a page. @returns its id */
export async function createSession(userId: string): Promise<string> {
  const id = uuid();
  await query(
    testEnvironment().databaseUrl,
    `INSERT INTO sessions (id, user_id, kind, hash, address) VALUES ($1, $2, 'device', $3, '127.0.0.1')`,
    [id, userId, hashToken(generateSessionToken('device'))],
  );
  return id;
}
