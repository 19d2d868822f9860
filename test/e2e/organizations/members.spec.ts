import { v7 as uuid } from 'uuid';
import { createApp } from '../../builders/app.js';
import {
  createActor,
  createMember,
  createTenant,
  memberIdOf,
  type Tenant,
} from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

const pathOf = (tenant: Tenant): string => `/v1/organizations/${tenant.organizationId}`;

/** The roles that the members of a tenant have, as one of them sees it. */
async function rolesOf(tenant: Tenant, api = tenant.owner.api): Promise<string[]> {
  const { body } = await api.get(`${pathOf(tenant)}/members`);
  return (body as { role: string }[]).map(({ role }) => role).sort();
}

describe('the list of members', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await createTenant();
    for (const role of ['admin', 'member', 'viewer', 'billing'] as const) await createMember(tenant, role);
  });

  it('shows every member with its user, to every role', async () => {
    const viewer = await createMember(await createTenant(), 'viewer');
    expectError(await viewer.api.get(`${pathOf(tenant)}/members`), 404, 'organization_not_found');
    for (const role of ['owner', 'admin', 'billing', 'member', 'viewer'] as const) {
      const own = await createTenant();
      const actor = role === 'owner' ? own.owner : await createMember(own, role);
      const response = await actor.api.get(`${pathOf(own)}/members`);
      expect(response.status).toBe(200);
      expect(response.body).toContainEqual({
        id: expect.any(String),
        organizationId: own.organizationId,
        userId: actor.userId,
        role,
        user: { id: actor.userId, email: actor.email, name: null, image: null },
        lastSeenAt: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
    }
  });

  it('reports when a member was last there, but not where else it was', async () => {
    const [own, other] = [await createTenant(), await createTenant()];
    const ada = await createMember(own, 'member');
    const lastSeenAt = async (): Promise<string | null> => {
      const { body } = await own.owner.api.get(`${pathOf(own)}/members?id=${ada.memberId}`);
      return (body as { lastSeenAt: string | null }[])[0]?.lastSeenAt ?? null;
    };
    await ada.api.get(pathOf(other));
    await ada.api.get('/v1/users/me');
    expect(await lastSeenAt()).toBeNull();
    await ada.api.get(pathOf(own));
    const seen = await lastSeenAt();
    expect(Date.now() - Date.parse(seen ?? '')).toBeLessThan(60_000);
    await ada.api.get(pathOf(own));
    expect(await lastSeenAt()).toBe(seen);
  });

  it('is searched by member id, user id, e-mail address and role', async () => {
    const { api } = tenant.owner;
    const ada = await createMember(tenant, 'member');
    const found = async (query: string): Promise<string[]> => {
      const response = await api.get(`${pathOf(tenant)}/members?${query}`);
      expect(response.status).toBe(200);
      return (response.body as { id: string }[]).map(({ id }) => id);
    };
    for (const query of [
      `id=${ada.memberId}`,
      `id=${ada.memberId.toUpperCase()}`,
      `query=${ada.memberId}`,
      `query=${ada.userId.toUpperCase()}`,
      `query=${ada.email.toUpperCase()}`,
      `query=${ada.email}&role=member`,
      `id=${ada.memberId}&query=${ada.memberId.slice(-12).toUpperCase()}`,
      `id=${ada.memberId}&query=${ada.email}`,
    ]) {
      expect(await found(query)).toEqual([ada.memberId]);
    }
    for (const query of [
      `id=${uuid()}`,
      `query=${ada.email}&role=owner`,
      'query=%25',
      'query=_',
      `id=${ada.memberId}&query=anonymous`,
    ]) {
      expect(await found(query)).toEqual([]);
    }
    expect(await found('role=viewer')).toHaveLength(1);
    expect(await found('role=&id=&query=')).toHaveLength(6);
    expectInvalid(await api.get(`${pathOf(tenant)}/members?id=x&role=king`), 'id', 'role');
  });
});

describe('a change of role', () => {
  it('is made by admins, except for owners', async () => {
    const tenant = await createTenant();
    const [admin, member] = [await createMember(tenant, 'admin'), await createMember(tenant, 'member')];
    const path = (id: string): string => `${pathOf(tenant)}/members/${id}`;
    for (const role of ['billing', 'viewer', 'admin', 'member'] as const) {
      const response = await admin.api.patch(path(member.memberId), { role });
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ role, user: { email: member.email } });
    }
    const ownerId = await memberIdOf(tenant, tenant.owner);
    expectError(await admin.api.patch(path(member.memberId), { role: 'owner' }), 403, 'owner_required');
    expectError(await admin.api.patch(path(admin.memberId), { role: 'owner' }), 403, 'owner_required');
    expectError(await admin.api.patch(path(ownerId), { role: 'member' }), 403, 'owner_required');
    expectError(await admin.api.delete(path(ownerId)), 403, 'owner_required');
    expectError(await member.api.patch(path(member.memberId), { role: 'admin' }), 403, 'not_authorized');
    expect((await tenant.owner.api.patch(path(member.memberId), { role: 'owner' })).status).toBe(200);
    expect(await rolesOf(tenant)).toEqual(['admin', 'owner', 'owner']);
  });

  it('names what is wrong with it', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    const { memberId } = await createMember(tenant, 'member');
    for (const body of [{}, { role: null }, { role: 'king' }, { role: 'Owner' }, { role: ['admin'] }]) {
      expectInvalid(await api.patch(`${pathOf(tenant)}/members/${memberId}`, body), 'role');
    }
    for (const id of ['x', uuid(), await memberIdOf(await createTenant(), tenant.owner)]) {
      const path = `${pathOf(tenant)}/members/${id || 'x'}`;
      expectError(await api.patch(path, { role: 'admin' }), 404, 'member_not_found');
      expectError(await api.delete(path), 404, 'member_not_found');
    }
  });

  it('does not reach members of another organization', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const { memberId } = await createMember(other, 'member');
    const path = `/members/${memberId}`;
    const { api } = tenant.owner;
    expectError(await api.patch(pathOf(tenant) + path, { role: 'admin' }), 404, 'member_not_found');
    expectError(await api.delete(pathOf(tenant) + path), 404, 'member_not_found');
    expectError(await api.patch(pathOf(other) + path, { role: 'admin' }), 404, 'organization_not_found');
    expectError(await api.delete(pathOf(other) + path), 404, 'organization_not_found');
    expect(await rolesOf(other)).toEqual(['member', 'owner']);
  });
});

describe('the last owner', () => {
  it('cannot vanish by any route', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    const path = `${pathOf(tenant)}/members/${await memberIdOf(tenant, tenant.owner)}`;
    await createMember(tenant, 'admin');
    expectError(await api.patch(path, { role: 'admin' }), 409, 'last_owner');
    expectError(await api.delete(path), 409, 'last_owner');
    expectError(await api.post(`${pathOf(tenant)}/leave`), 409, 'last_owner');
    expect((await api.patch(path, { role: 'owner' })).status).toBe(200);
    expect(await rolesOf(tenant)).toEqual(['admin', 'owner']);
  });

  it.each([
    ['remove each other', 'delete', 'other'],
    ['demote each other', 'patch', 'other'],
    ['step down', 'patch', 'self'],
    ['remove themselves', 'delete', 'self'],
    ['leave', 'leave', 'self'],
    ['hand over to the same member', 'transfer', 'self'],
  ] as const)('remains when owners %s at once', async (_what, how, whom) => {
    for (let round = 0; round < 5; round++) {
      const tenant = await createTenant();
      const second = await createMember(tenant, 'owner');
      const witness = await createMember(tenant, 'admin');
      const owners = [
        { api: tenant.owner.api, memberId: await memberIdOf(tenant, tenant.owner) },
        { api: second.api, memberId: second.memberId },
      ];
      const statuses = await Promise.all(
        owners.map(async (owner, index) => {
          const target = whom === 'self' ? owner : (owners[1 - index] ?? owner);
          const path = `${pathOf(tenant)}/members/${target.memberId}`;
          if (how === 'delete') return (await owner.api.delete(path)).status;
          if (how === 'patch') return (await owner.api.patch(path, { role: 'viewer' })).status;
          if (how === 'leave') return (await owner.api.post(`${pathOf(tenant)}/leave`)).status;
          const body = { memberId: witness.memberId };
          return (await owner.api.post(`${pathOf(tenant)}/transfer-ownership`, body)).status;
        }),
      );
      expect(await rolesOf(tenant, witness.api)).toContain('owner');
      if (how !== 'transfer') expect(statuses.filter((status) => status < 300)).toHaveLength(1);
      for (const status of statuses) expect(status).toBeLessThan(500);
    }
  });
});

describe('leaving', () => {
  it('takes effect at once, for every role', async () => {
    const tenant = await createTenant();
    for (const role of ['owner', 'admin', 'billing', 'member', 'viewer'] as const) {
      const actor = await createMember(tenant, role);
      expect((await actor.api.post(`${pathOf(tenant)}/leave`)).status).toBe(204);
      expectError(await actor.api.get(pathOf(tenant)), 404, 'organization_not_found');
      expectError(await actor.api.post(`${pathOf(tenant)}/leave`), 404, 'organization_not_found');
    }
    const stranger = await createActor();
    expectError(await stranger.api.post(`${pathOf(tenant)}/leave`), 404, 'organization_not_found');
  });

  it('is what removing a member does to it', async () => {
    const tenant = await createTenant();
    const { api, memberId } = await createMember(tenant, 'member');
    expect((await tenant.owner.api.delete(`${pathOf(tenant)}/members/${memberId}`)).status).toBe(204);
    expectError(await api.get(pathOf(tenant)), 404, 'organization_not_found');
    const again = await tenant.owner.api.delete(`${pathOf(tenant)}/members/${memberId}`);
    expectError(again, 404, 'member_not_found');
  });
});

describe('a transfer of ownership', () => {
  it('makes the member an owner and the caller an admin', async () => {
    const tenant = await createTenant();
    const newOwner = await createMember(tenant, 'viewer');
    const path = `${pathOf(tenant)}/transfer-ownership`;
    const response = await tenant.owner.api.post(path, { memberId: newOwner.memberId });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      id: newOwner.memberId,
      role: 'owner',
      user: { email: newOwner.email },
    });
    expect(await rolesOf(tenant)).toEqual(['admin', 'owner']);
    const back = { memberId: await memberIdOf(tenant, tenant.owner) };
    expectError(await tenant.owner.api.post(path, back), 403, 'not_authorized');
    expect((await newOwner.api.post(path, back)).status).toBe(200);
  });

  it('needs another member of the same organization', async () => {
    const tenant = await createTenant();
    const path = `${pathOf(tenant)}/transfer-ownership`;
    const { api } = tenant.owner;
    const foreign = await createMember(await createTenant(), 'member');
    const admin = await createMember(tenant, 'admin');
    for (const memberId of [undefined, null, 'x', 5]) {
      expectInvalid(await api.post(path, { memberId }), 'memberId');
    }
    expectInvalid(await api.post(path, { memberId: await memberIdOf(tenant, tenant.owner) }), 'memberId');
    expectError(await api.post(path, { memberId: foreign.memberId }), 404, 'member_not_found');
    expectError(await api.post(path, { memberId: uuid() }), 404, 'member_not_found');
    expectError(await admin.api.post(path, { memberId: admin.memberId }), 403, 'not_authorized');
    expectError(await foreign.api.post(path, { memberId: admin.memberId }), 404, 'organization_not_found');
    expect(await rolesOf(tenant)).toEqual(['admin', 'owner']);
  });
});

describe('deleting an organization', () => {
  it('is for owners, and takes everything along', async () => {
    const app = await createApp();
    const { tenant, api } = app;
    const bundle = await uploadBundle(app);
    for (const role of ['admin', 'billing', 'member', 'viewer'] as const) {
      const actor = await createMember(tenant, role);
      expectError(await actor.api.delete(pathOf(tenant)), 403, 'not_authorized');
    }
    const { owner: stranger } = await createTenant();
    expectError(await stranger.api.delete(pathOf(tenant)), 404, 'organization_not_found');
    expect((await api.delete(pathOf(tenant))).status).toBe(204);
    expectError(await api.delete(pathOf(tenant)), 404, 'organization_not_found');
    expectError(await api.get(app.path), 404, 'app_not_found');
    expectError(await api.get(`${app.path}/bundles/${bundle.id}/download`), 404);
    expect((await api.get('/v1/organizations')).body).toEqual([]);
  });

  it('answers creations of apps that come at the same time', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    const create = (): Promise<number> =>
      api
        .post(`/v1/apps?organizationId=${tenant.organizationId}`, { name: 'Shop' })
        .then(({ status }) => status);
    const [deleted, ...created] = await Promise.all([
      api.delete(pathOf(tenant)).then(({ status }) => status),
      ...Array.from({ length: 10 }, create),
    ]);
    expect(deleted).toBe(204);
    for (const status of created) expect([201, 404]).toContain(status);
    expect((await api.get('/v1/apps')).body).toEqual([]);
  });
});
