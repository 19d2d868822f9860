import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import type { Actor, Site } from '../builders/identities.js';

/** Notes that a user has a second factor, or none, as switching it on and off does. */
export async function setTwoFactor(
  { userId }: Actor,
  enabled: boolean,
  site: Site = testEnvironment(),
): Promise<void> {
  const sql = 'UPDATE users SET two_factor_enabled = $2 WHERE id = $1';
  await query(site.databaseUrl, sql, [userId, enabled]);
}
