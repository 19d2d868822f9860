import { v7 as uuid } from 'uuid';
import { generateApiToken, hashToken } from '../../../src/common/access/api-token.js';
import { createApp, type TestApp } from '../../builders/app.js';
import { type Actor, createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { assignApp, assignMember, createTeam, type TestTeam } from '../../builders/team.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../http/expect-created.js';
import { uniqueName } from '../unique-name.js';

/** An organization with everybody who could call, and what it owns. */
export interface World {
  readonly tenant: Tenant;
  readonly admin: Actor;
  readonly billing: Actor;
  readonly member: Actor;
  readonly viewer: Actor;
  /** Has the role `member` and is in no team. */
  readonly outsideTeams: Actor;
  /** Owner of an organization of its own. */
  readonly foreigner: Actor;
  /** Everybody but `outsideTeams` is in it; it has `app`. */
  readonly team: TestTeam;
  readonly app: TestApp;
  /** Of the same organization. */
  readonly otherApp: TestApp;
  /** Another organization of the owner. */
  readonly otherOrganizationId: string;
  /** A token of the owner that was valid once. */
  readonly expiredToken: string;
  /** Id of the membership of `member`. */
  readonly memberId: string;
}

/** Makes a world of its own. */
export async function createWorld(): Promise<World> {
  const tenant = await createTenant();
  const { owner } = tenant;
  const join = (role: 'admin' | 'billing' | 'member' | 'viewer') => createMember(tenant, role);
  const [admin, billing, member, viewer, outsideTeams, foreign, team, app, otherApp, other, expiredToken] =
    await Promise.all([
      join('admin'),
      join('billing'),
      join('member'),
      join('viewer'),
      join('member'),
      createTenant(),
      createTeam(tenant),
      createApp(tenant),
      createApp(tenant),
      owner.api.post('/v1/organizations', { name: uniqueName('other') }),
      createExpiredToken(owner.userId),
    ]);
  await Promise.all([
    assignApp(tenant, team, app.id),
    ...[admin, billing, member, viewer].map(({ memberId }) => assignMember(tenant, team, memberId)),
  ]);
  return {
    tenant,
    admin,
    billing,
    member,
    viewer,
    outsideTeams,
    foreigner: foreign.owner,
    team,
    app,
    otherApp,
    otherOrganizationId: expectCreated<{ id: string }>(other).id,
    expiredToken,
    memberId: member.memberId,
  };
}

/** Written to the database directly because no route creates a token that has expired. */
async function createExpiredToken(userId: string): Promise<string> {
  const token = generateApiToken();
  await query(
    testEnvironment().databaseUrl,
    'INSERT INTO tokens (id, user_id, name, hash, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [uuid(), userId, 'Expired', hashToken(token), new Date(0)],
  );
  return token;
}
