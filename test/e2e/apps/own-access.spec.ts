import { type RolePermission, rolePermissions, roleGrants } from '../../../src/common/access/permissions.js';
import { createApp } from '../../builders/app.js';
import {
  type Actor,
  createActor,
  createMember,
  createTenant,
  type Tenant,
} from '../../builders/identities.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import type { Api } from '../../support/http/api.js';
import { expectError } from '../../support/http/expect-error.js';

interface OwnOrganization {
  readonly id: string;
  readonly name: string | null;
  readonly role: string;
  readonly blockedBy: string | null;
  readonly suspended: boolean;
  readonly permissions: readonly RolePermission[];
  readonly appPermissions: readonly RolePermission[];
  readonly apps: readonly { readonly id: string; readonly name: string }[];
  readonly totalApps: number;
}

interface OwnAccess {
  readonly user: { readonly id: string; readonly email: string; readonly emailVerified: boolean };
  readonly organizationCreationBlockedBy: string | null;
  readonly organizations: readonly OwnOrganization[];
  readonly totalOrganizations: number;
}

const { databaseUrl } = testEnvironment();
const sql = (text: string, values: unknown[]): Promise<object[]> => query(databaseUrl, text, values);

async function accessOf(api: Api): Promise<OwnAccess> {
  const { status, body } = await api.get('/v1/users/me/access');
  expect(status).toBe(200);
  return body as OwnAccess;
}

/** Of a caller with one organization. */
async function onlyOf(api: Api): Promise<OwnOrganization> {
  const { organizations } = await accessOf(api);
  expect(organizations).toHaveLength(1);
  return organizations[0] as OwnOrganization;
}

let tenant: Tenant;
let owner: Actor;
beforeEach(async () => {
  tenant = await createTenant();
  ({ owner } = tenant);
});

const namesOf = ({ apps }: OwnOrganization): string[] => apps.map(({ name }) => name);

describe('the access of a caller', () => {
  it('names them, their organizations and their apps', async () => {
    const shop = await createApp(tenant, { name: 'Shop' });
    const courier = await createApp(tenant, { name: 'Courier' });
    await createApp();
    expect(await accessOf(owner.api)).toEqual({
      user: (await owner.api.get('/v1/users/me')).body as unknown,
      organizationCreationBlockedBy: null,
      totalOrganizations: 1,
      organizations: [
        {
          id: tenant.organizationId,
          name: `Tenant ${owner.userId}`,
          role: 'owner',
          blockedBy: null,
          suspended: false,
          permissions: rolePermissions,
          appPermissions: rolePermissions,
          apps: [
            { id: courier.id, name: 'Courier' },
            { id: shop.id, name: 'Shop' },
          ],
          totalApps: 2,
        },
      ],
    });
  });

  it.each(['admin', 'member', 'viewer', 'billing'] as const)(
    'has the permissions of the role %s',
    async (role) => {
      await createApp(tenant);
      const { api } = await createMember(tenant, role);
      const granted = rolePermissions.filter((permission) => roleGrants(role, permission));
      expect(await onlyOf(api)).toMatchObject({
        role,
        permissions: granted,
        appPermissions: granted,
        totalApps: role === 'billing' ? 0 : 1,
      });
    },
  );

  it('has the apps of the teams', async () => {
    const [shop] = [await createApp(tenant, { name: 'Shop' }), await createApp(tenant, { name: 'Courier' })];
    const member = await createMember(tenant, 'member');
    const team = await createTeam(tenant);
    expect(await onlyOf(member.api)).toMatchObject({ apps: [], totalApps: 0 });
    await assignApp(tenant, team, shop.id);
    await assignMember(tenant, team, member.memberId);
    expect(namesOf(await onlyOf(member.api))).toEqual(['Shop']);
  });

  it('is as wide as the token', async () => {
    const other = await createTenant();
    await sql(
      `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'viewer')`,
      [other.organizationId, owner.userId],
    );
    const shop = await createApp(tenant, { name: 'Shop' });
    await createApp(tenant, { name: 'Courier' });
    await createApp(other);
    expect((await accessOf(owner.api)).organizations).toHaveLength(2);

    const ofApp = await createToken(owner.api, { appIds: [shop.id] });
    expect(await accessOf(ofApp.api)).toMatchObject({ organizationCreationBlockedBy: 'token_limited' });
    const limited = await onlyOf(ofApp.api);
    expect(limited).toMatchObject({ name: null, permissions: ['apps:read'], totalApps: 1 });
    expect(limited.appPermissions).toEqual(rolePermissions);
    expect(namesOf(limited)).toEqual(['Shop']);

    const ofOrganization = await createToken(owner.api, { organizationIds: [tenant.organizationId] });
    expect(await onlyOf(ofOrganization.api)).toMatchObject({ role: 'owner', totalApps: 2 });

    const reader = await createToken(owner.api, { permissions: ['account:read', 'channels:read'] });
    expect(await accessOf(reader.api)).toMatchObject({
      organizationCreationBlockedBy: 'token_limited',
      organizations: [
        { name: null, permissions: ['channels:read'], apps: [], totalApps: 0 },
        { name: null, permissions: ['channels:read'], apps: [], totalApps: 0 },
      ],
    });
    const other1 = await createToken(owner.api, { permissions: ['apps:read'] });
    expectError(await other1.api.get('/v1/users/me/access'), 403, 'token_limited');
  });

  it('says what is in the way', async () => {
    await createApp(tenant);
    await sql('UPDATE organizations SET two_factor_required = true, suspended_at = now() WHERE id = $1', [
      tenant.organizationId,
    ]);
    expect(await onlyOf(owner.api)).toMatchObject({
      name: `Tenant ${owner.userId}`,
      blockedBy: 'two_factor_required',
      suspended: true,
      permissions: [],
      appPermissions: [],
      apps: [],
    });
    await sql(`UPDATE organizations SET ip_allowlist = '{192.0.2.1}' WHERE id = $1`, [tenant.organizationId]);
    expect((await accessOf(owner.api)).organizations).toEqual([]);

    const newcomer = await createActor();
    expect(await accessOf(newcomer.api)).toMatchObject({
      organizationCreationBlockedBy: null,
      organizations: [],
      totalOrganizations: 0,
    });
    await sql('UPDATE users SET email_verified = false WHERE id = $1', [newcomer.userId]);
    expect(await accessOf(newcomer.api)).toMatchObject({
      user: { emailVerified: false },
      organizationCreationBlockedBy: 'email_not_verified',
    });
  });

  it('says when as many organizations are owned as the server allows', async () => {
    await sql(
      `WITH organization AS (
         INSERT INTO organizations (id, name, slug)
         SELECT gen_random_uuid(), 'Owned ' || number, $1::text || '-' || number FROM generate_series(1, 99) AS number
         RETURNING id
       )
       INSERT INTO members (id, organization_id, user_id, role)
       SELECT gen_random_uuid(), id, $1::text::uuid, 'owner' FROM organization`,
      [owner.userId],
    );
    const access = await accessOf(owner.api);
    expect(access).toMatchObject({
      organizationCreationBlockedBy: 'organization_limit_reached',
      totalOrganizations: 100,
    });
    expectError(
      await owner.api.post('/v1/organizations', { name: 'One more' }),
      409,
      'organization_limit_reached',
    );
  });
});
