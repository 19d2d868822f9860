import { v7 as uuid } from 'uuid';
import { hashToken } from '../../src/common/access/api-token.js';
import { generateSessionToken } from '../../src/common/access/session-token.js';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';

/** A session of a user, written to the database directly because making one takes a person at a page. @returns its id */
export async function createSession(userId: string): Promise<string> {
  return (await insert(userId, null)).id;
}

/** As `createSession`. @returns the token of the session */
export async function createDeviceSession(
  userId: string,
  secondFactorAt: Date | null = null,
  method: 'password' | 'oidc' = 'password',
): Promise<string> {
  return (await insert(userId, secondFactorAt, method)).token;
}

async function insert(
  userId: string,
  secondFactorAt: Date | null,
  method = 'password',
): Promise<{ id: string; token: string }> {
  const [id, token] = [uuid(), generateSessionToken('device')];
  await query(
    testEnvironment().databaseUrl,
    `INSERT INTO sessions (id, user_id, kind, hash, address, second_factor_at, method, proved_at)
     VALUES ($1, $2, 'device', $3, '127.0.0.1', $4, $5, now())`,
    [id, userId, hashToken(token), secondFactorAt, method],
  );
  return { id, token };
}
