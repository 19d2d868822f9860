import { v7 as uuid } from 'uuid';
import {
  createActor,
  createMember,
  createTenant,
  memberIdOf,
  type Tenant,
} from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { createApp } from '../../builders/app.js';
import { recordedEvents, recordedTypes } from '../../support/events/recorded-events.js';
import { invite } from '../../support/organizations/invitations.js';

let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant();
});

const path = (): string => `/v1/organizations/${tenant.organizationId}`;

/** The events of the tenant after its creation: type, user who caused it, data. */
async function eventsOf({ organizationId } = tenant): Promise<unknown[]> {
  const events = await recordedEvents({ organizationId });
  expect(events.every(({ appId }) => appId === null)).toBe(true);
  return events.slice(1).map(({ type, userId, data }) => [type, userId, data]);
}

describe('a member', () => {
  it('has an event when an invitation is accepted, without name and address', async () => {
    const guest = await createActor();
    const { id } = await invite(tenant, guest.email, 'viewer');
    expect((await guest.api.post(`/v1/invitations/${id}/accept`)).status).toBe(200);
    const data = {
      memberId: await memberIdOf(tenant, guest),
      userId: guest.userId,
      role: 'viewer',
      previousRole: null,
      fromGroups: false,
    };
    expect(await eventsOf()).toEqual([['member_added', guest.userId, data]]);
  });

  it('has an event when its role changes, when it leaves and when it is removed', async () => {
    const [ada, grace] = await Promise.all([createMember(tenant, 'member'), createMember(tenant, 'viewer')]);
    const { owner } = tenant;
    for (const role of ['admin', 'admin']) {
      expect((await owner.api.patch(`${path()}/members/${ada.memberId}`, { role })).status).toBe(200);
    }
    expect((await ada.api.post(`${path()}/leave`)).status).toBe(204);
    expect((await owner.api.delete(`${path()}/members/${grace.memberId}`)).status).toBe(204);
    expect(await eventsOf()).toMatchObject([
      ['member_updated', owner.userId, { memberId: ada.memberId, role: 'admin', previousRole: 'member' }],
      ['member_removed', ada.userId, { memberId: ada.memberId, role: 'admin', previousRole: null }],
      ['member_removed', owner.userId, { memberId: grace.memberId, role: 'viewer' }],
    ]);
  });

  it('has no event when the change is refused', async () => {
    const { owner } = tenant;
    const memberId = await memberIdOf(tenant, owner);
    expect((await owner.api.delete(`${path()}/members/${memberId}`)).status).toBe(409);
    expect((await owner.api.patch(`${path()}/members/${memberId}`, { role: 'viewer' })).status).toBe(409);
    expect(await eventsOf()).toEqual([]);
  });

  it('has an event each for the old and the new owner when the ownership is transferred', async () => {
    const ada = await createMember(tenant, 'member');
    const { owner } = tenant;
    const former = await memberIdOf(tenant, owner);
    const body = { memberId: ada.memberId };
    expect((await owner.api.post(`${path()}/transfer-ownership`, body)).status).toBe(200);
    expect(await eventsOf()).toMatchObject([
      ['member_updated', owner.userId, { memberId: ada.memberId, role: 'owner', previousRole: 'member' }],
      ['member_updated', owner.userId, { memberId: former, role: 'admin', previousRole: 'owner' }],
    ]);
  });
});

describe('an API token', () => {
  it('has events when it is created, changed, rotated and deleted, without its secret', async () => {
    const { owner } = tenant;
    const { id, token } = await createToken(owner.api, { name: 'CI', expiresAt: '2036-01-01T00:00:00.000Z' });
    for (let times = 0; times < 2; times++) {
      await owner.api.patch(`/v1/tokens/${id}`, { name: 'Pipeline', permissions: 'read-only' });
    }
    await owner.api.post(`/v1/tokens/${id}/rotate`, {});
    await owner.api.delete(`/v1/tokens/${id}`);
    const data = {
      tokenId: id,
      name: 'CI',
      userId: owner.userId,
      permissions: 'all',
      expiresAt: '2036-01-01T00:00:00.000Z',
    };
    const changed = { ...data, name: 'Pipeline', permissions: 'read-only' };
    const events = await eventsOf();
    expect(events).toEqual([
      ['token_created', owner.userId, data],
      ['token_updated', owner.userId, changed],
      ['token_rotated', owner.userId, changed],
      ['token_deleted', owner.userId, changed],
    ]);
    expect(JSON.stringify(events)).not.toContain(token.slice(-4));
  });

  it('has events in the organizations that it sees or has seen, and in no others', async () => {
    const { owner } = tenant;
    const [other, third] = await Promise.all([createTenant(), createTenant()]);
    for (const inviting of [other, third]) {
      const { id } = await invite(inviting, owner.email);
      expect((await owner.api.post(`/v1/invitations/${id}/accept`)).status).toBe(200);
    }
    const app = await createApp(other);
    const { id } = await createToken(owner.api, { appIds: [app.id] });
    await owner.api.patch(`/v1/tokens/${id}`, { appIds: null, organizationIds: [tenant.organizationId] });
    const typesOf = async ({ organizationId }: Tenant): Promise<string[]> =>
      (await recordedTypes({ organizationId })).filter((type) => type.startsWith('token'));
    expect(await typesOf(other)).toEqual(['token_created', 'token_updated']);
    expect(await typesOf(tenant)).toEqual(['token_updated']);
    expect(await typesOf(third)).toEqual([]);
  });

  it('has no event when its request is refused', async () => {
    const { owner } = tenant;
    const values = { name: 'CI', organizationIds: [uuid()] };
    expect((await owner.api.post('/v1/tokens', values)).status).toBe(404);
    expect(await eventsOf()).toEqual([]);
  });
});
