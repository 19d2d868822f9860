import { v7 as uuid } from 'uuid';
import { createApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createActor, createMember, createTenant } from '../../builders/identities.js';
import { createPerson, PASSWORD } from '../../builders/person.js';
import { uploadBundle } from '../../builders/publication.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { expectCreated } from '../../support/http/expect-created.js';
import {
  auditEvents,
  auditPath,
  eventsOfRequest,
  exportText,
  titles,
} from '../../support/organizations/audit-log.js';

const sql = <T extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]> =>
  query<T>(testEnvironment().databaseUrl, text, values);

describe('an audit event', () => {
  it('reports who did what to what, from where and by which operation', async () => {
    const tenant = await createTenant();
    const app = await createApp(tenant);
    const channel = await createChannel(app, { name: 'Production' });
    const token = await createToken(tenant.owner.api);
    const response = await token.api
      .request('post', `${app.path}/channels/${channel.id}/pause`)
      .set('User-Agent', 'acme/1.0')
      .set('X-Request-Id', `pause-${channel.id}`);
    expect(response.status).toBe(204);
    const [event, ...others] = await eventsOfRequest(tenant, response);
    expect(others).toEqual([]);
    const { pausedAt } = (await app.api.get(`${app.path}/channels/${channel.id}`)).body as {
      pausedAt: string;
    };
    expect(event).toEqual({
      id: expect.any(String) as string,
      organizationId: tenant.organizationId,
      sequence: expect.any(Number) as number,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as string,
      action: 'updated',
      actor: {
        userId: tenant.owner.userId,
        email: tenant.owner.email,
        tokenId: token.id,
        sessionId: null,
        address: '127.0.0.1',
        userAgent: 'acme/1.0',
      },
      object: { type: 'channel', id: channel.id, name: 'Production', appId: app.id },
      before: { pausedAt: null },
      after: { pausedAt },
      requestId: `pause-${channel.id}`,
      operation: 'Channels_pause',
      previousHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect((await tenant.owner.api.get(`${auditPath(tenant)}/${event?.id}`)).body).toEqual(event);
  });

  it('reports the session of who is signed in at a page', async () => {
    const person = await createPerson();
    const organization = await person.api.post('/v1/organizations', { name: 'Acme' });
    const tenant = { organizationId: (organization.body as { id: string }).id, owner: person };
    const browser = new Browser();
    await browser.open('/login');
    await browser.submit('/login', { email: person.email, password: PASSWORD });
    const [signIn] = await auditEvents(tenant, 'objectType=session');
    expect(signIn).toMatchObject({
      action: 'created',
      object: { name: person.email },
      after: { kind: 'browser' },
    });
    expect(signIn?.actor).toMatchObject({ address: '127.0.0.1' });
    await browser.open('/settings/tokens');
    await browser.submit('/settings/tokens', { name: 'From the page' });
    const tokens = await auditEvents(tenant, 'objectType=token');
    expect(tokens.at(-1)).toMatchObject({
      action: 'created',
      object: { name: 'From the page' },
      actor: { userId: person.userId, email: person.email, tokenId: null, sessionId: signIn?.object.id },
    });
  });

  it('has no actor when the change was made in the database', async () => {
    const tenant = await createTenant();
    await sql('UPDATE organizations SET name = $2 WHERE id = $1', [tenant.organizationId, 'By hand']);
    expect((await auditEvents(tenant)).at(-1)).toMatchObject({
      action: 'updated',
      actor: null,
      requestId: null,
      operation: null,
      object: { type: 'organization', id: tenant.organizationId, name: 'By hand' },
      after: { name: 'By hand' },
    });
  });

  it('keeps the e-mail address of a user that is deleted, and reports the deletion', async () => {
    const tenant = await createTenant();
    const admin = await createMember(tenant, 'admin');
    await admin.api.patch(`/v1/organizations/${tenant.organizationId}`, { name: 'Renamed' });
    await sql('DELETE FROM users WHERE id = $1', [admin.userId]);
    expect(await sql('SELECT 1 FROM users WHERE id = $1', [admin.userId])).toEqual([]);
    const events = await auditEvents(tenant);
    expect(events.at(-2)?.actor).toMatchObject({ userId: admin.userId, email: admin.email });
    expect(events.at(-1)).toMatchObject({
      action: 'deleted',
      object: { type: 'user', id: admin.userId, name: admin.email },
      before: { email: admin.email },
      after: null,
    });
  });

  it('cuts long values', async () => {
    const tenant = await createTenant();
    await sql('UPDATE organizations SET logo = $2 WHERE id = $1', [tenant.organizationId, 'é'.repeat(1001)]);
    const { after } = (await auditEvents(tenant)).at(-1) ?? {};
    expect(after).toEqual({ logo: `${'é'.repeat(1000)}… (cut, 1001 characters)` });
  });
});

describe('the audit log', () => {
  it('reports organizations, members, invitations and teams', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    const path = `/v1/organizations/${tenant.organizationId}`;
    expect(titles(await auditEvents(tenant))).toEqual(['organization created', 'member created']);

    const renamed = await eventsOfRequest(
      tenant,
      await api.patch(path, { name: 'Renamed', ipAllowlist: ['127.0.0.1'] }),
    );
    expect(renamed).toMatchObject([
      {
        before: { ipAllowlist: null },
        after: { name: 'Renamed', ipAllowlist: ['127.0.0.1'] },
        operation: 'Organizations_update',
      },
    ]);

    const guest = await createActor();
    const invited = await api.post(`${path}/invitations`, { email: guest.email, role: 'viewer' });
    expect(await eventsOfRequest(tenant, invited)).toMatchObject([
      { object: { type: 'invitation', name: guest.email }, after: { role: 'viewer', status: 'pending' } },
    ]);
    const accepted = await guest.api.post(`/v1/invitations/${(invited.body as { id: string }).id}/accept`);
    expect(titles(await eventsOfRequest(tenant, accepted)).sort()).toEqual([
      'invitation updated',
      'member created',
    ]);

    const member = await createMember(tenant, 'viewer');
    const promoted = await api.patch(`${path}/members/${member.memberId}`, { role: 'admin' });
    expect(await eventsOfRequest(tenant, promoted)).toMatchObject([
      {
        object: { type: 'member', id: member.memberId, name: member.email },
        before: { role: 'viewer' },
        after: { role: 'admin' },
      },
    ]);

    const team = await createTeam(tenant);
    const app = await createApp(tenant);
    const teamAppId = await assignApp(tenant, team, app.id);
    const teamMemberId = await assignMember(tenant, team, member.memberId);
    const teams = (await auditEvents(tenant)).filter(({ object }) => object.type.startsWith('team'));
    expect(teams).toMatchObject([
      { action: 'created', object: { type: 'team', name: team.name, appId: null } },
      { action: 'created', object: { type: 'team-app', id: teamAppId, appId: app.id } },
      { action: 'created', object: { type: 'team-member', id: teamMemberId, name: member.email } },
    ]);
    // Its assignments fall with it.
    const deleted = await eventsOfRequest(tenant, await api.delete(team.path));
    expect(deleted).toMatchObject([
      { action: 'deleted', object: { type: 'team' }, before: { name: team.name }, after: null },
    ]);
    const left = await eventsOfRequest(tenant, await api.delete(`${path}/members/${member.memberId}`));
    expect(left).toMatchObject([{ action: 'deleted', object: { type: 'member', name: member.email } }]);
  });

  it('reports apps and channels, and no cascaded deletions', async () => {
    const app = await createApp();
    const events = (await auditEvents(app.tenant)).slice(2);
    expect(titles(events)).toEqual(['app created', 'channel created', 'app updated']);
    expect(events.at(-1)).toMatchObject({
      before: { appChannelId: null },
      after: { appChannelId: app.defaultChannelId },
    });

    const changes = { appChannelDiscoveryEnabled: true, nextAppBuildNumber: 50 };
    const [changed] = await eventsOfRequest(app.tenant, await app.api.patch(app.path, changes));
    expect(changed).toMatchObject({
      before: { appChannelDiscoveryEnabled: false, nextAppBuildNumber: 1 },
      after: changes,
    });

    const channel = await createChannel(app);
    const path = `${app.path}/channels/${channel.id}`;
    const unchanged = await eventsOfRequest(app.tenant, await app.api.patch(path, { name: channel.name }));
    expect(unchanged).toEqual([]);
    const gone = await eventsOfRequest(app.tenant, await app.api.delete(path));
    expect(gone).toMatchObject([
      { action: 'deleted', before: { name: channel.name }, object: { name: channel.name } },
    ]);

    await createChannel(app);
    const deleted = await eventsOfRequest(app.tenant, await app.api.delete(app.path));
    expect(titles(deleted)).toEqual(['app deleted']);
  });

  it('reports bundles when they are made and published, not of their files and downloads', async () => {
    const app = await createApp();
    const { id, buildId, bytes, deploymentId } = await uploadBundle(app);
    const download = `${app.path}/builds/${buildId}/artifacts/${id}/download`;
    expect((await app.api.request('get', download)).status).toBe(200);
    const events = (await auditEvents(app.tenant, `appId=${app.id}`)).slice(3);
    expect(titles(events)).toEqual([
      'build created',
      'build-artifact created',
      'bundle created',
      'build-artifact updated',
      'bundle updated',
      'deployment created',
      'bundle updated',
    ]);
    expect(events[3]).toMatchObject({
      object: { id, appId: app.id },
      before: { status: 'pending' },
      after: { status: 'ready', fileSizeInBytes: bytes.length },
    });
    expect(events[5]).toMatchObject({
      object: { id: deploymentId },
      after: { appBuildId: buildId, appChannelId: app.defaultChannelId, rolloutPercentage: 1 },
    });
    const deployment = `${app.path}/deployments/${deploymentId}`;
    const [rollout] = await eventsOfRequest(
      app.tenant,
      await app.api.patch(deployment, { rolloutPercentage: 0.25 }),
    );
    expect(rollout).toMatchObject({ before: { rolloutPercentage: 1 }, after: { rolloutPercentage: 0.25 } });
    const deleted = await app.api.delete(`${app.path}/bundles/${id}`);
    expect(titles(await eventsOfRequest(app.tenant, deleted))).toEqual(['build deleted']);
  });

  it('reports which channel a person forces on a device, not what devices report', async () => {
    const app = await createApp();
    await registerBundle(app);
    const count = (await auditEvents(app.tenant)).length;
    const deviceId = await createDevice(app, { customId: 'someone' });
    await checkForUpdate(app, { deviceId, appVersionCode: '11' });
    expect(await auditEvents(app.tenant)).toHaveLength(count);
    const device = `${app.path}/devices/${deviceId}`;
    const forced = await app.api.patch(device, { forcedAppChannelId: app.defaultChannelId });
    expect(await eventsOfRequest(app.tenant, forced)).toMatchObject([
      {
        object: { type: 'device', id: deviceId, appId: app.id },
        before: { forcedAppChannelId: null },
        after: { forcedAppChannelId: app.defaultChannelId },
      },
    ]);
    await checkForUpdate(app, { deviceId, appVersionCode: '12' });
    const [deleted] = await eventsOfRequest(app.tenant, await app.api.delete(device));
    expect(deleted?.before).toEqual({ appId: app.id, forcedAppChannelId: app.defaultChannelId });
  });

  it('reports to each organization of a user their tokens, passwords and second factors, never a secret', async () => {
    const tenant = await createTenant();
    const { api, userId } = tenant.owner;
    const second = { organizationId: '', owner: tenant.owner };
    second.organizationId = expectCreated<{ id: string }>(
      await api.post('/v1/organizations', { name: 'Second' }),
    ).id;
    const { id, token } = await createToken(api, { name: 'Robot' });
    const rotated = await api.post(`/v1/tokens/${id}/rotate`, { overlapSeconds: 60 });
    await new Api(api.origin, token).get('/v1/users/me');
    const licenseKeys = `/v1/organizations/${tenant.organizationId}/license-keys`;
    const key = expectCreated<{ id: string; key: string }>(await api.post(licenseKeys, { name: 'Key' }));
    const rotatedKey = await api.post(`${licenseKeys}/${key.id}/rotate`);
    const hash = `$argon2id$${uuid()}`;
    const secret = uuid();
    await sql('INSERT INTO passwords (id, user_id, hash) VALUES ($1, $2, $3)', [uuid(), userId, hash]);
    await sql('UPDATE passwords SET hash = hash || $2 WHERE user_id = $1', [userId, 'x']);
    await sql('INSERT INTO two_factors (id, user_id, secret, last_step) VALUES ($1, $2, $3, 1)', [
      uuid(),
      userId,
      secret,
    ]);
    await sql('UPDATE two_factors SET last_step = 2 WHERE user_id = $1', [userId]);
    await sql('INSERT INTO recovery_codes (id, user_id, hash) VALUES ($1, $2, $3)', [uuid(), userId, secret]);
    await sql('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    await api.delete(`/v1/tokens/${id}`);

    const ofUser = ['token', 'password', 'two-factor', 'recovery-code'];
    for (const either of [tenant, second]) {
      const events = (await auditEvents(either)).filter(({ object }) => ofUser.includes(object.type));
      expect(titles(events)).toEqual([
        'token created',
        'token updated',
        'password created',
        'password updated',
        'two-factor created',
        'recovery-code created',
        'recovery-code deleted',
        'token deleted',
      ]);
      expect(events[1]).toMatchObject({
        before: { hash: '***', previousHash: null },
        after: { hash: '***', previousHash: '***' },
      });
      expect(events[3]).toMatchObject({
        before: { hash: '***' },
        after: { hash: '***' },
        object: { name: tenant.owner.email },
      });
    }
    expect(titles(await eventsOfRequest(tenant, rotatedKey))).toEqual(['license-key updated']);
    const secrets = [
      token,
      (rotated.body as { token: string }).token,
      tenant.owner.token,
      key.key,
      (rotatedKey.body as { key: string }).key,
      hash,
      secret,
      ...(await secretsInDatabase(userId, tenant.organizationId)),
    ];
    const text = (await exportText(tenant)) + (await exportText(second));
    expect(secrets.filter((part) => text.includes(part))).toEqual([]);
  });

  it('has no event of what is refused', async () => {
    const app = await createApp();
    const count = (await auditEvents(app.tenant)).length;
    const taken = await app.api.post(`${app.path}/channels`, { name: 'default' });
    const foreign = await (await createTenant()).owner.api.patch(app.path, { name: 'Mine' });
    const locked = await app.api.patch(`/v1/organizations/${app.tenant.organizationId}`, {
      name: 'X',
      ipAllowlist: ['192.0.2.1'],
    });
    expect([taken.status, foreign.status, locked.status]).toEqual([409, 404, 400]);
    expect(await auditEvents(app.tenant)).toHaveLength(count);
  });

  it('reports to both organizations when an app moves', async () => {
    const app = await createApp();
    const target = await createTenant();
    await sql(`INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, 'admin')`, [
      uuid(),
      target.organizationId,
      app.tenant.owner.userId,
    ]);
    const moved = await app.api.post(`${app.path}/transfer`, { organizationId: target.organizationId });
    expect(moved.status).toBe(200);
    for (const tenant of [app.tenant, target]) {
      expect(await eventsOfRequest(tenant, moved)).toMatchObject([
        {
          action: 'updated',
          object: { type: 'app', id: app.id },
          before: { organizationId: app.tenant.organizationId },
          after: { organizationId: target.organizationId },
        },
      ]);
    }
    await createChannel({ ...app, tenant: target });
    expect(titles(await auditEvents(target)).at(-1)).toBe('channel created');
  });

  it('outlives its organization', async () => {
    const tenant = await createTenant();
    await createApp(tenant);
    const path = `/v1/organizations/${tenant.organizationId}`;
    expect((await tenant.owner.api.delete(path)).status).toBe(204);
    expect((await tenant.owner.api.get(auditPath(tenant))).status).toBe(404);
    const events = await sql(
      `SELECT object_type, action, user_id FROM audit_events WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 2`,
      [tenant.organizationId],
    );
    expect(events).toMatchObject([
      { object_type: 'organization', action: 'deleted', user_id: tenant.owner.userId },
      { object_type: 'app', action: 'updated' },
    ]);
  });
});

/** Every hash and every encrypted value of what a user and an organization have. */
async function secretsInDatabase(userId: string, organizationId: string): Promise<string[]> {
  const rows = await sql<{ secret: string }>(
    `SELECT hash AS secret FROM tokens WHERE user_id = $1 UNION SELECT hash FROM passwords WHERE user_id = $1
     UNION SELECT key_hash FROM license_keys WHERE organization_id = $2
     UNION SELECT sealed_key FROM license_keys WHERE organization_id = $2`,
    [userId, organizationId],
  );
  expect(rows.length).toBeGreaterThan(3);
  return rows.map(({ secret }) => secret);
}
