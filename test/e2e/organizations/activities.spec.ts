import { createApp, type TestApp } from '../../builders/app.js';
import { createDevice } from '../../builders/device.js';
import { createLicenseKey } from '../../builders/license-key.js';
import { createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { auditEvents, eventsOfRequest, exportLog } from '../../support/organizations/audit-log.js';
import { expectError } from '../../support/http/expect-error.js';

let app: TestApp;
let tenant: Tenant;
beforeAll(async () => {
  app = await createApp();
  ({ tenant } = app);
});

const activities = () => auditEvents(tenant, 'objectType=activity');

describe('devices', () => {
  it('that are erased are recorded by their number, without the custom id', async () => {
    for (const id of ['erased-1', 'erased-2'])
      await createDevice(app, { deviceId: id, customId: 'ada@example.com' });
    const response = await app.api.delete(`${app.path}/devices?customId=ada%40example.com`);
    expect(response.body).toEqual({ deleted: 2 });
    const events = await eventsOfRequest(tenant, response);
    expect(events).toMatchObject([
      {
        action: 'created',
        actor: { userId: tenant.owner.userId },
        object: { type: 'activity', name: 'devices-erased', appId: app.id },
        after: { kind: 'devices-erased', count: 2, detail: null },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('ada@');
  });

  it('that are erased one by one, and exports, are recorded', async () => {
    await createDevice(app, { deviceId: 'single', customId: 'grace' });
    const one = await app.api.get(`${app.path}/devices/single/export`);
    const many = await app.api.get(`${app.path}/devices/export?customId=grace`);
    const erased = await app.api.delete(`${app.path}/devices/single`);
    for (const [response, kind] of [
      [one, 'devices-exported'],
      [many, 'devices-exported'],
      [erased, 'devices-erased'],
    ] as const) {
      expect(await eventsOfRequest(tenant, response)).toMatchObject([{ after: { kind, count: 1 } }]);
    }
    expectError(await app.api.delete(`${app.path}/devices/single`), 404, 'device_not_found');
  });
});

it('records the export of the audit log', async () => {
  const before = (await activities()).length;
  await exportLog(tenant);
  const [newest, ...others] = (await activities()).toReversed();
  expect(others).toHaveLength(before);
  expect(newest).toMatchObject({ operation: 'AuditLog_export', after: { kind: 'audit-log-exported' } });
});

it('records reads of license keys, once a minute, without the key', async () => {
  const own = await createTenant();
  const created = await createLicenseKey(own);
  for (let read = 0; read < 3; read++) expect((await own.owner.api.get(created.path)).status).toBe(200);
  const events = await auditEvents(own, 'objectType=activity');
  // The minute can end in between.
  expect(events.length).toBeGreaterThanOrEqual(1);
  expect(events.length).toBeLessThanOrEqual(2);
  expect(events[0]).toMatchObject({ after: { kind: 'license-keys-read', count: 1, detail: created.id } });
  expect(JSON.stringify(events)).not.toContain(created.key);
});

describe('refused calls', () => {
  const refusals = async () => (await activities()).filter(({ object }) => object.name === 'call-refused');

  it('of members are recorded once a minute for each operation', async () => {
    const viewer = await createMember(tenant, 'viewer');
    const own = async () => (await refusals()).filter(({ actor }) => actor?.userId === viewer.userId);
    for (let call = 0; call < 5; call++) {
      expectError(await viewer.api.post(`${app.path}/channels`, { name: 'x' }), 403, 'not_authorized');
    }
    expect((await own()).length).toBeLessThanOrEqual(2);
    expect(await own()).toContainEqual(
      expect.objectContaining({
        operation: 'Channels_create',
        object: expect.objectContaining({ name: 'call-refused', appId: app.id }) as unknown,
        after: expect.objectContaining({ detail: 'not_authorized' }) as unknown,
      }),
    );
    const organization = `/v1/organizations/${tenant.organizationId}`;
    expectError(await viewer.api.patch(organization, { name: 'Mine' }), 403, 'not_authorized');
    expect((await own()).map(({ operation }) => operation)).toContain('Organizations_update');
    const count = (await own()).length;
    expectError(await viewer.api.get(`${organization}/audit-events`), 403, 'not_authorized');
    expect(await own()).toHaveLength(count);
  });

  it('that a handler refuses are recorded, too', async () => {
    const admin = await createMember(tenant, 'admin');
    const path = `/v1/organizations/${tenant.organizationId}/members/${admin.memberId}`;
    const response = await admin.api.patch(path, { role: 'owner' });
    expectError(response, 403, 'owner_required');
    expect(await eventsOfRequest(tenant, response)).toMatchObject([{ after: { detail: 'owner_required' } }]);
  });

  it('of a limited token are recorded, those of strangers are not', async () => {
    const { api } = await createToken(tenant.owner.api, { permissions: 'read-only' });
    const limited = await api.delete(app.path);
    expectError(limited, 403, 'token_limited');
    expect(await eventsOfRequest(tenant, limited)).toMatchObject([{ after: { detail: 'token_limited' } }]);
    const count = (await refusals()).length;
    const stranger = await createTenant();
    expectError(await stranger.owner.api.delete(app.path), 404, 'app_not_found');
    expect(await refusals()).toHaveLength(count);
  });
});
