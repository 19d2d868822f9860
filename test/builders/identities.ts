import { v7 as uuid } from 'uuid';
import { generateApiToken, hashToken } from '../../src/common/access/api-token.js';
import type { Role } from '../../src/common/access/permissions.js';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import { Api } from '../support/http/api.js';

/** A user with an API token. */
export interface Actor {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  readonly api: Api;
}

/** An organization with its owner. */
export interface Tenant {
  readonly organizationId: string;
  readonly owner: Actor;
}

/** Where identities are made: the shared server, unless a test runs its own. */
export interface Site {
  readonly origin: string;
  readonly databaseUrl: string;
}

/** A user without any organization, written to the database directly because no route creates users. */
export async function createActor(
  site: Site = testEnvironment(),
  expiresAt: Date | null = null,
): Promise<Actor> {
  const userId = uuid();
  const email = `${userId}@example.com`;
  const token = generateApiToken();
  await query(site.databaseUrl, 'INSERT INTO users (id, email, email_verified) VALUES ($1, $2, true)', [
    userId,
    email,
  ]);
  await query(
    site.databaseUrl,
    'INSERT INTO tokens (id, user_id, name, hash, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [uuid(), userId, 'Test', hashToken(token), expiresAt],
  );
  return { userId, email, token, api: new Api(site.origin, token) };
}

/** An organization of its own: tests of different tenants do not see each other. */
export async function createTenant(site: Site = testEnvironment()): Promise<Tenant> {
  const owner = await createActor(site);
  const { body } = await owner.api.post('/v1/organizations', { name: `Tenant ${owner.userId}` });
  return { organizationId: (body as { id: string }).id, owner };
}

/** A member of a tenant. */
export interface TestMember extends Actor {
  /** Id of the membership. */
  readonly memberId: string;
}

/** Another member of the tenant. */
export async function createMember(
  tenant: Tenant,
  role: Role,
  site: Site = testEnvironment(),
): Promise<TestMember> {
  const actor = await createActor(site);
  const memberId = uuid();
  await query(
    site.databaseUrl,
    'INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, $4)',
    [memberId, tenant.organizationId, actor.userId, role],
  );
  return { ...actor, memberId };
}

/** The id of an actor's membership. */
export async function memberIdOf(tenant: Tenant, actor: Actor): Promise<string> {
  const { body } = await tenant.owner.api.get(
    `/v1/organizations/${tenant.organizationId}/members?query=${actor.userId}`,
  );
  return (body as { id: string }[])[0]?.id ?? '';
}

/** Notes that a user has a second factor, or none, as switching it on and off does. */
export async function setTwoFactor(
  { userId }: Actor,
  enabled: boolean,
  site: Site = testEnvironment(),
): Promise<void> {
  const sql = 'UPDATE users SET two_factor_enabled = $2 WHERE id = $1';
  await query(site.databaseUrl, sql, [userId, enabled]);
}
