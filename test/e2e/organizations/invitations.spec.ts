import { v7 as uuid } from 'uuid';
import type { Response } from 'supertest';
import {
  type Actor,
  createActor,
  createMember,
  createTenant,
  type Tenant,
} from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

const pathOf = (tenant: Tenant): string => `/v1/organizations/${tenant.organizationId}/invitations`;
const organizationOf = (tenant: Tenant): string => `/v1/organizations/${tenant.organizationId}`;

async function invite(tenant: Tenant, email: string, role = 'member'): Promise<{ id: string }> {
  return expectCreated(await tenant.owner.api.post(pathOf(tenant), { email, role }));
}

const accept = (actor: Actor, id: string): Promise<Response> =>
  actor.api.post(`/v1/invitations/${id}/accept`);
const reject = (actor: Actor, id: string): Promise<Response> =>
  actor.api.post(`/v1/invitations/${id}/reject`);

async function expire(id: string): Promise<void> {
  const sql = `UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1`;
  await query(testEnvironment().databaseUrl, sql, [id]);
}

describe('an invitation', () => {
  it('lasts seven days and shows who invited', async () => {
    const tenant = await createTenant();
    const email = `${uuid()}@example.com`;
    const response = await tenant.owner.api.post(pathOf(tenant), { email, role: 'viewer' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.any(String),
      organizationId: tenant.organizationId,
      email,
      role: 'viewer',
      status: 'pending',
      inviterId: tenant.owner.userId,
      expiresAt: expect.any(String),
      mailedAt: null,
      mailError: null,
      link: expect.stringContaining('/join?token='),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { createdAt, expiresAt } = response.body as { createdAt: string; expiresAt: string };
    const days = (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000;
    expect(Math.abs(days - 7)).toBeLessThan(0.01);
    expect((await tenant.owner.api.get(pathOf(tenant))).body).toEqual([
      { ...(response.body as object), link: null },
    ]);
  });

  it('is made by owners and admins, never to be an owner', async () => {
    const tenant = await createTenant();
    const body = { email: `${uuid()}@example.com`, role: 'member' };
    const admin = await createMember(tenant, 'admin');
    expect((await admin.api.post(pathOf(tenant), body)).status).toBe(201);
    for (const role of ['billing', 'member', 'viewer'] as const) {
      const actor = await createMember(tenant, role);
      expectError(await actor.api.get(pathOf(tenant)), 403, 'not_authorized');
      expectError(await actor.api.post(pathOf(tenant), body), 403, 'not_authorized');
      expectError(await actor.api.delete(`${pathOf(tenant)}/${uuid()}`), 403, 'not_authorized');
    }
    expectInvalid(await tenant.owner.api.post(pathOf(tenant), { ...body, role: 'owner' }), 'role');
  });

  it('names every wrong field', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    expectInvalid(await api.post(pathOf(tenant), {}), 'email', 'role');
    const odd = [
      '"a,b"@example.com',
      '"a@b;c"@example.com',
      'jürgen@example.com',
      'a@example.com\r\nBcc: b@x.de',
    ];
    const wrong = ['ada', 'ada@', '@example.com', 'a b@example.com', 'a@b.de,c@b.de', ...odd];
    for (const email of [...wrong, 5, null, ['a@example.com']]) {
      expectInvalid(await api.post(pathOf(tenant), { email, role: 'king' }), 'email', 'role');
    }
    const long = `${'x'.repeat(300)}@example.com`;
    expectInvalid(await api.post(pathOf(tenant), { email: long, role: 'member' }), 'email');
  });

  it('is pending once for an organization and an e-mail address, whatever its case', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const email = `${uuid()}@example.com`;
    const bodies = [email, email.toUpperCase(), ` ${email} `].map((text) => ({
      email: text,
      role: 'member',
    }));
    await invite(tenant, ` ${email.toUpperCase()}`);
    for (const body of bodies) {
      expectError(await tenant.owner.api.post(pathOf(tenant), body), 409, 'already_invited');
    }
    await invite(other, email);
    const racer = await createTenant();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => racer.owner.api.post(pathOf(racer), { email, role: 'member' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  it('is not for members', async () => {
    const tenant = await createTenant();
    const member = await createMember(tenant, 'viewer');
    for (const { email } of [member, tenant.owner]) {
      const body = { email: email.toUpperCase(), role: 'admin' };
      expectError(await tenant.owner.api.post(pathOf(tenant), body), 409, 'already_member');
    }
  });

  it('is found by id, e-mail address, role and status', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    const email = `${uuid()}@example.com`;
    const first = await invite(tenant, email, 'admin');
    const second = await invite(tenant, `${uuid()}@example.com`);
    await api.delete(`${pathOf(tenant)}/${second.id}`);
    const found = async (text: string): Promise<string[]> =>
      ((await api.get(`${pathOf(tenant)}?${text}`)).body as { id: string }[]).map(({ id }) => id);
    expect(await found('')).toEqual([second.id, first.id]);
    expect(await found(`query=${email.toUpperCase()}`)).toEqual([first.id]);
    expect(await found(`query=${first.id.toUpperCase()}`)).toEqual([first.id]);
    expect(await found('role=member')).toEqual([second.id]);
    expect(await found('status=pending')).toEqual([first.id]);
    expect(await found('role=admin&status=canceled')).toEqual([]);
    expectInvalid(await api.get(`${pathOf(tenant)}?role=owner&status=x`), 'role', 'status');
  });
});

describe('the invited user', () => {
  let tenant: Tenant;
  let ada: Actor;
  beforeEach(async () => {
    [tenant, ada] = [await createTenant(), await createActor()];
  });

  it('sees its own invitations and no one else does', async () => {
    const { id } = await invite(tenant, ada.email.toUpperCase(), 'viewer');
    const stranger = await createActor();
    const response = await ada.api.get('/v1/invitations');
    expect(response.body).toMatchObject([
      { id, role: 'viewer', organizationName: `Tenant ${tenant.owner.userId}` },
    ]);
    for (const { api } of [stranger, tenant.owner])
      expect((await api.get('/v1/invitations')).body).toEqual([]);
  });

  it.each(['admin', 'billing', 'member', 'viewer'])('becomes a member with the role %s', async (role) => {
    const { id } = await invite(tenant, ada.email.toUpperCase(), role);
    const response = await accept(ada, id);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ id, status: 'accepted', role });
    const members = await tenant.owner.api.get(`${organizationOf(tenant)}/members?role=${role}`);
    expect(members.body).toMatchObject([{ userId: ada.userId, role }]);
    expect((await ada.api.get(organizationOf(tenant))).status).toBe(200);
    expect((await ada.api.get('/v1/invitations')).body).toEqual([]);
  });

  it('must have the address verified', async () => {
    const { id } = await invite(tenant, ada.email);
    const { databaseUrl } = testEnvironment();
    await query(databaseUrl, 'UPDATE users SET email_verified = false WHERE id = $1', [ada.userId]);
    expectError(await ada.api.get('/v1/invitations'), 403, 'email_not_verified');
    expectError(await accept(ada, id), 403, 'email_not_verified');
    expectError(await reject(ada, id), 403, 'email_not_verified');
    await query(databaseUrl, 'UPDATE users SET email_verified = true WHERE id = $1', [ada.userId]);
    expect((await accept(ada, id)).status).toBe(200);
  });

  it('accepts once', async () => {
    const { id } = await invite(tenant, ada.email);
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(ada, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expectError(await accept(ada, id), 409, 'invitation_accepted');
    expectError(await reject(ada, id), 409, 'invitation_accepted');
    expectError(await tenant.owner.api.delete(`${pathOf(tenant)}/${id}`), 409, 'invitation_accepted');
  });

  it('may reject, and be invited again', async () => {
    const { id } = await invite(tenant, ada.email);
    expect((await reject(ada, id)).body).toMatchObject({ status: 'rejected' });
    expectError(await accept(ada, id), 409, 'invitation_rejected');
    expectError(await tenant.owner.api.delete(`${pathOf(tenant)}/${id}`), 409, 'invitation_rejected');
    expectError(await ada.api.get(organizationOf(tenant)), 404);
    expect((await accept(ada, (await invite(tenant, ada.email)).id)).status).toBe(200);
  });

  it('is too late after expiry', async () => {
    const { id } = await invite(tenant, ada.email);
    await expire(id);
    expect((await ada.api.get('/v1/invitations')).body).toEqual([]);
    expectError(await accept(ada, id), 409, 'invitation_expired');
    expectError(await reject(ada, id), 409, 'invitation_expired');
    const again = await invite(tenant, ada.email);
    expectError(await accept(ada, id), 409, 'invitation_revoked');
    expect((await accept(ada, again.id)).status).toBe(200);
  });

  it('is too late after revocation', async () => {
    const { id } = await invite(tenant, ada.email);
    const path = `${pathOf(tenant)}/${id}`;
    expect((await tenant.owner.api.delete(path)).status).toBe(204);
    expect((await tenant.owner.api.delete(path)).status).toBe(204);
    expect((await ada.api.get('/v1/invitations')).body).toEqual([]);
    expectError(await accept(ada, id), 409, 'invitation_revoked');
    expect((await tenant.owner.api.get(pathOf(tenant))).body).toMatchObject([{ id, status: 'canceled' }]);
  });

  it('is for its recipient only, and nothing shows that there is an invitation', async () => {
    const { id } = await invite(tenant, ada.email);
    const other = await createTenant();
    for (const actor of [await createActor(), tenant.owner, other.owner]) {
      for (const unknown of [id, uuid(), 'x']) {
        expectError(await accept(actor, unknown), 404, 'invitation_not_found');
        expectError(await reject(actor, unknown), 404, 'invitation_not_found');
      }
    }
    expectError(await other.owner.api.delete(`${pathOf(other)}/${id}`), 404, 'invitation_not_found');
    expectError(await other.owner.api.delete(`${pathOf(tenant)}/${id}`), 404, 'organization_not_found');
    expect((await accept(ada, id)).status).toBe(200);
  });

  it('is accepted or revoked, but not both', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await createActor();
      const { id } = await invite(tenant, user.email);
      const [accepted, revoked] = await Promise.all([
        accept(user, id),
        tenant.owner.api.delete(`${pathOf(tenant)}/${id}`),
      ]);
      expect([accepted.status, revoked.status]).toEqual(accepted.status === 200 ? [200, 409] : [409, 204]);
      const { status } = await user.api.get(organizationOf(tenant));
      expect(status).toBe(accepted.status === 200 ? 200 : 404);
    }
  });

  it('keeps its role when it is a member by then', async () => {
    const { id } = await invite(tenant, ada.email, 'admin');
    await query(
      testEnvironment().databaseUrl,
      `INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, 'viewer')`,
      [uuid(), tenant.organizationId, ada.userId],
    );
    expectError(await accept(ada, id), 409, 'already_member');
    const members = await tenant.owner.api.get(`${organizationOf(tenant)}/members?role=viewer`);
    expect(members.body).toHaveLength(1);
  });

  it('needs a token that is not limited to organizations', async () => {
    const { id } = await invite(tenant, ada.email);
    const own = await createMember(await createTenant(), 'viewer');
    const mine = expectCreated<{ id: string }>(await ada.api.post('/v1/organizations', { name: 'Mine' }));
    const body = { name: 'CI', organizationIds: [mine.id] };
    const { token } = expectCreated<{ token: string }>(await ada.api.post('/v1/tokens', body));
    const limited = new Api(ada.api.origin, token);
    expectError(await limited.get('/v1/invitations'), 403, 'token_limited');
    expectError(await limited.post(`/v1/invitations/${id}/accept`), 403, 'token_limited');
    expectError(await limited.post(`/v1/invitations/${id}/reject`), 403, 'token_limited');
    expectError(await accept(own, id), 404, 'invitation_not_found');
  });
});
