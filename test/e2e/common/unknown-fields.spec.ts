import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { certificateParts, createCertificate } from '../../builders/certificate.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createEnvironment } from '../../builders/environment.js';
import { createMember } from '../../builders/identities.js';
import { createRunner } from '../../builders/runner.js';
import { createToken } from '../../builders/token.js';
import { createWebhook, WEBHOOK_URL } from '../../builders/webhook.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { form, send } from '../../support/http/multipart.js';
import { uniqueName } from '../../support/unique-name.js';

let app: TestApp;
let organization: string;
beforeAll(async () => {
  app = await createApp();
  organization = `/v1/organizations/${app.tenant.organizationId}`;
});

/** A request whose body gets unknown fields. */
type Send = (fields: object) => Promise<Response>;

describe.each<[string, string | null, () => Promise<Send>]>([
  ['a new token', null, async () => (fields) => app.api.post('/v1/tokens', { name: 'CI', ...fields })],
  [
    'a change of a token',
    'tokenId',
    async () => {
      const { id } = await createToken(app.api);
      return (fields) => app.api.patch(`/v1/tokens/${id}`, fields);
    },
  ],
  [
    'a rotation of a token',
    'tokenId',
    async () => {
      const { id } = await createToken(app.api);
      return (fields) => app.api.post(`/v1/tokens/${id}/rotate`, fields);
    },
  ],
  [
    'a new runner',
    'organizationId',
    async () => (fields) => app.api.post(`${organization}/runners`, { name: 'Mac', ...fields }),
  ],
  [
    'a change of a runner',
    'runnerId',
    async () => {
      const { id } = await createRunner(app.tenant, {}, null);
      return (fields) => app.api.patch(`${organization}/runners/${id}`, fields);
    },
  ],
  [
    'a rotation of the token of a runner',
    'runnerId',
    async () => {
      const { id } = await createRunner(app.tenant, {}, null);
      return (fields) => app.api.post(`${organization}/runners/${id}/rotate`, fields);
    },
  ],
  [
    'a new webhook',
    'appId',
    async () => (fields) =>
      app.api.post(`${app.path}/webhooks`, {
        name: uniqueName('webhook'),
        url: WEBHOOK_URL,
        events: ['*'],
        ...fields,
      }),
  ],
  [
    'a change of a webhook of an organization',
    'webhookId',
    async () => {
      const { path } = await createWebhook({ path: organization, api: app.api });
      return (fields) => app.api.patch(path, fields);
    },
  ],
  [
    'a rollout plan',
    'deploymentId',
    async () => {
      const { id } = await createDeployment(app);
      const steps = [{ percentage: 0.5, durationMinutes: 60 }, { percentage: 1 }];
      return (fields) => app.api.put(`${app.path}/deployments/${id}/rollout-plan`, { steps, ...fields });
    },
  ],
])('%s', (what, pathId, prepare) => {
  it('refuses unknown fields, each by its name', async () => {
    const request = await prepare();
    expectInvalid(await request({ scopes: ['apps:read'], colour: 'red' }), 'scopes', 'colour');
    expectInvalid(await request({ ['x'.repeat(1000)]: 1 }), 'x'.repeat(64));
    const { errors = [] } = expectError(
      await request({ 'line\nbreak': 1, constructor: 1 }),
      400,
      'invalid_fields',
    );
    expect(errors.map(({ field }) => field)).toEqual(['line\nbreak', 'constructor']);
  });

  it('refuses a list of channels that is misspelt, such as one that limits it', async () => {
    const request = await prepare();
    expectInvalid(await request({ channelsIds: [] }), 'channelsIds');
  });

  it('drops what its own response has, and ids of the path', async () => {
    const request = await prepare();
    const first = await request({});
    expect([200, 201]).toContain(first.status);
    const secrets = /token|runner/.test(what) ? { lastFour: 'none', token: 'x' } : {};
    const echoed = { ...(first.body as object), ...secrets, createdAt: 'never' };
    const second = await request({ ...echoed, ...(pathId === null ? {} : { [pathId]: 'x' }) });
    expect(second.status).toBe(first.status);
    expect(second.body).not.toMatchObject({ createdAt: 'never' });
  });
});

it('names the field that was meant, and lists the other mistakes besides', async () => {
  const name = uniqueName('token');
  const create = (fields: object): Promise<Response> => app.api.post('/v1/tokens', { name, ...fields });
  const messageOf = async (fields: object): Promise<string> =>
    expectError(await create(fields), 400, 'invalid_fields').message;
  expect(await messageOf({ scope: 'read-only' })).toBe(
    '"scope" is not a field of this request: the nearest one is permissions.',
  );
  expect(await messageOf({ permission: ['apps:read'] })).toContain('nearest one is permissions.');
  expect(await messageOf({ expires_at: '2030-01-01' })).toContain('nearest one is expiresAt.');
  expect(await messageOf({ organizationId: app.tenant.organizationId })).toContain('organizationIds.');
  expect(await messageOf({ colour: 'red' })).toContain(
    'has name, expiresAt, permissions, organizationIds, appIds.',
  );
  expectInvalid(await create({ name: 5, scopes: [] }), 'scopes', 'name');
  expect((await app.api.get('/v1/tokens')).text).not.toContain(name);
});

describe('what looks like a limit, but is none', () => {
  const misnamed = [
    'scope',
    'scopes',
    'expires',
    'expiresIn',
    'roles',
    'allowedRef',
    'allowed_refs',
    'isProtected',
  ];

  it('is refused with a member', async () => {
    const { memberId } = await createMember(app.tenant, 'viewer');
    const patch: Send = (fields) =>
      app.api.patch(`${organization}/members/${memberId}`, { role: 'member', ...fields });
    for (const field of misnamed) expectInvalid(await patch({ [field]: 'x' }), field);
    expect((await patch({ roles: 'viewer' })).body).toMatchObject({
      message: '"roles" is not a field of this request: the nearest one is role.',
    });
    expect((await patch({ colour: 'red', memberId, user: {}, lastSeenAt: null })).status).toBe(200);
  });

  it('is refused with a channel and a destination', async () => {
    const others = ['freezeWindow', 'freeze_windows_', 'requiredApproval', 'requireApprovals'];
    for (const list of ['channels', 'destinations']) {
      for (const field of [...misnamed, ...others]) {
        const values = { name: uniqueName('name'), [field]: 1 };
        const response = await app.api.post(`${app.path}/${list}`, values);
        const { errors = [] } = expectError(response, 400, 'invalid_fields');
        expect(errors.map((error) => error.field)).toContain(field);
      }
    }
    expectInvalid(
      await app.api.post(`${app.path}/channels`, { name: 'a', requiredApproval: 1 }),
      'requiredApproval',
    );
    const channel = await createChannel(app, {});
    const { body } = await app.api.get(`${app.path}/channels/${channel.id}`);
    expect((await app.api.patch(`${app.path}/channels/${channel.id}`, body)).status).toBe(200);
  });

  it('is refused with an environment', async () => {
    const create: Send = (fields) =>
      app.api.post(`${app.path}/environments`, { name: uniqueName('environment'), ...fields });
    const { path, id } = await createEnvironment(app);
    const patch: Send = (fields) => app.api.patch(path, fields);
    for (const request of [create, patch]) {
      for (const field of misnamed) expectInvalid(await request({ [field]: ['main'] }), field);
      expectInvalid(await request({ allowedRef: ['main'], protected: 'yes' }), 'allowedRef', 'protected');
    }
    const dropped = { colour: 'red', environmentId: id, appId: app.id, appEnvironmentVariables: [] };
    expect((await create(dropped)).status).toBe(201);
    expect((await patch(dropped)).status).toBe(200);
  });

  it('is refused with a certificate', async () => {
    const create = (fields: Readonly<Record<string, string>>): Promise<Response> =>
      send(app.api, 'post', `${app.path}/certificates`, form(certificateParts(fields)));
    const { id } = await createCertificate(app);
    const patch: Send = (fields) => app.api.patch(`${app.path}/certificates/${id}`, fields);
    for (const field of misnamed) {
      expectInvalid(await create({ [field]: 'main' }), field);
      expectInvalid(await patch({ [field]: ['main'] }), field);
    }
    expect((await create({ colour: 'red', expiresAt: 'never', certificateId: id })).status).toBe(201);
    expect((await patch({ colour: 'red', expiresAt: null, certificateId: id, appId: app.id })).status).toBe(
      200,
    );
  });
});
