import { createApp, type TestApp } from '../../builders/app.js';
import { createAutomation, type TestAutomation } from '../../builders/automation.js';
import { createChannel } from '../../builders/channel.js';
import { createEnvironment } from '../../builders/environment.js';
import { createGitConnection, linkRepository } from '../../builders/git-connection.js';
import { createMember, type TestMember } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import type { Api } from '../../support/http/api.js';
import { eventually } from '../../support/eventually.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

let app: TestApp;
let member: TestMember;

beforeAll(async () => {
  app = await createApp();
  member = await createMember(app.tenant, 'member');
});

const read = async ({ path }: TestAutomation): Promise<TestAutomation> =>
  (await app.api.get(path)).body as TestAutomation;

const stopsOf = async ({ id }: TestAutomation): Promise<object[]> => {
  const path = `/v1/organizations/${app.tenant.organizationId}/events?order=newest&limit=100`;
  const { events } = (await app.api.get(path)).body as { events: { type: string; objectId: string }[] };
  return events.filter(({ type, objectId }) => type === 'automation_stopped' && objectId === id);
};

describe('lists in two forms', () => {
  it('shows the first value, and a single value replaces the list', async () => {
    const [one, two] = [await createChannel(app), await createChannel(app)];
    const automation = await createAutomation(app, {
      triggerPatterns: ['main', 'release/*', 'main'],
      appChannelNames: [one.name, two.name.toUpperCase()],
    });
    expect(automation).toMatchObject({
      triggerPattern: 'main',
      triggerPatterns: ['main', 'release/*'],
      appChannelId: one.id,
      appChannelIds: [one.id, two.id],
    });
    const change = async (body: object) => (await app.api.patch(automation.path, body)).body as object;
    expect(await change({ triggerPattern: 'develop', appChannelName: two.name })).toMatchObject({
      triggerPatterns: ['develop'],
      appChannelIds: [two.id],
    });
    expect(await change({ name: automation.name })).toMatchObject({
      triggerPatterns: ['develop'],
      appChannelIds: [two.id],
    });
    const ids = { appChannelIds: [one.id], appChannelNames: [two.name] };
    expect(await change(ids)).toMatchObject({ appChannelIds: [one.id] });
    expect(await change({ triggerPatterns: [], appChannelIds: [] })).toMatchObject({
      triggerPattern: null,
      triggerPatterns: [],
      appChannelId: null,
      appChannelIds: [],
    });
    await change({ triggerPatterns: ['main'], appChannelId: one.id });
    expect(await change({ triggerPattern: null, appChannelId: null })).toMatchObject({
      triggerPatterns: [],
      appChannelIds: [],
    });
  });

  it('are counted as they are listed', async () => {
    const own = await createApp(app.tenant);
    await createAutomation(own, { name: 'Shop', enabled: false });
    await createAutomation(own, { name: 'Admin', platform: 'android', triggerType: 'manual' });
    const count = async (query: string) =>
      ((await own.api.get(`${own.path}/automations/count${query}`)).body as { count: number }).count;
    expect([await count(''), await count('?platform=web'), await count('?query=adm')]).toEqual([2, 1, 1]);
    expect((await own.api.get(`${own.path}/automations?name=shop`)).body).toMatchObject([{ enabled: false }]);
  });
});

it.each([
  [{ platform: 'android', appChannelNames: ['production'] }, 'appChannelIds'],
  [{ triggerType: 'tag', commitMessagePattern: 'fix*' }, 'commitMessagePattern'],
  [{ triggerType: 'tag', triggerPattern: 'refs/heads/main' }, 'triggerPatterns'],
  [{ buildType: 'debug' }, 'buildType'],
])('refuses what contradicts itself: %j', async (values, field) => {
  await createChannel(app, { name: 'production' }).catch(() => undefined);
  const body = { name: 'x', platform: 'web', triggerType: 'branch', ...values };
  expectInvalid(await app.api.post(`${app.path}/automations`, body), field);
});

it('refuses patterns that are long or slow, in its answer and in time', async () => {
  const slow = ['a'.repeat(10_000), '*'.repeat(10_000), `${'*a'.repeat(40)}b`];
  for (const pattern of slow) {
    const body = { name: 'x', platform: 'web', triggerType: 'branch', triggerPatterns: [pattern] };
    expectInvalid(await app.api.post(`${app.path}/automations`, body), 'triggerPatterns');
  }
});

describe('what is restricted', () => {
  const save = (environment: { id: string }, values: object = {}, { api }: { api: Api } = app) =>
    api.post(`${app.path}/automations`, {
      name: environment.id,
      platform: 'web',
      triggerType: 'branch',
      appEnvironmentId: environment.id,
      ...values,
    });

  it('is for no automation if it is protected and names no refs', async () => {
    const environment = await createEnvironment(app, { protected: true });
    const { message } = expectInvalid(await save(environment), 'appEnvironmentId');
    expect(message).toContain(environment.name);
  });

  it('is only for automations that build what it allows', async () => {
    const environment = await createEnvironment(app, { allowedRefs: ['main'] });
    expectInvalid(await save(environment, { triggerPattern: 'develop' }), 'appEnvironmentId');
    expectInvalid(await save(environment, { triggerType: 'tag' }), 'appEnvironmentId');
    expect((await save(environment)).status).toBe(201);
  });

  it('needs the permission to use it', async () => {
    const environment = await createEnvironment(app, { protected: true, allowedRefs: ['main'] });
    expectError(await save(environment, {}, member), 403, 'use_restricted');
    expect((await save(environment)).status).toBe(201);
  });
});

describe('authority', () => {
  it('takes the permissions of what the automation does, of the token, too', async () => {
    const channel = await createChannel(app);
    const permissions = ['apps:read', 'automations:read', 'automations:write', 'builds:write'];
    const { api } = await createToken(app.api, { permissions });
    const automation = await createAutomation(app, {}, { api });
    const deploying = await api.patch(automation.path, { appChannelId: channel.id });
    expectError(deploying, 403, 'token_limited');
    expect(await read(automation)).toMatchObject({ appChannelIds: [] });
  });

  it('belongs to the user who saves it, and disabling takes nothing over', async () => {
    const automation = await createAutomation(app);
    const { userId } = app.tenant.owner;
    expect(await read(automation)).toMatchObject({ savedBy: userId, createdBy: userId });
    const disabled = await member.api.patch(automation.path, { enabled: false });
    expect(disabled.body).toMatchObject({ enabled: false, savedBy: userId, updatedBy: member.userId });
    const renamed = { name: 'Renamed', enabled: true };
    const enabled = await member.api.patch(automation.path, renamed);
    expect(enabled.body).toMatchObject({ ...renamed, savedBy: member.userId, createdBy: userId });
    const { updatedAt } = disabled.body as { updatedAt: string };
    expect((enabled.body as { updatedAt: string }).updatedAt > updatedAt).toBe(true);
  });

  it('ends with the token that saved it, not with its rotation', async () => {
    const token = await createToken(app.api);
    const automation = await createAutomation(app, {}, token);
    await app.api.post(`/v1/tokens/${token.id}/rotate`, {});
    expect(await read(automation)).toMatchObject({ enabled: true });
    await app.api.delete(`/v1/tokens/${token.id}`);
    expect(await read(automation)).toMatchObject({
      enabled: false,
      stoppedReason: expect.stringContaining('was deleted'),
    });
    const saved = await app.api.patch(automation.path, {});
    expect(saved.body).toMatchObject({ enabled: true, stoppedReason: null });
  });
});

describe('an automation that loses what it needs', () => {
  it('stops with an event that says what was deleted', async () => {
    const environment = await createEnvironment(app);
    const channel = await createChannel(app);
    const uses = { appEnvironmentId: environment.id, appChannelIds: [channel.id] };
    const [first, second] = [
      await createAutomation(app, uses),
      await createAutomation(app, { appChannelId: channel.id }),
    ];
    expect((await app.api.delete(environment.path)).status).toBe(204);
    const reason = `The environment ${environment.name} was deleted.`;
    expect(await read(first)).toMatchObject({
      enabled: false,
      stoppedReason: reason,
      appEnvironmentId: null,
    });
    expect(await read(second)).toMatchObject({ enabled: true });
    expect((await app.api.delete(`${app.path}/channels/${channel.id}`)).status).toBe(204);
    expect(await read(second)).toMatchObject({
      enabled: false,
      stoppedReason: `The channel ${channel.name} was deleted.`,
      appChannelIds: [],
    });
    // It was stopped before.
    expect(await read(first)).toMatchObject({ stoppedReason: reason, appChannelIds: [] });
    await eventually(async () => {
      expect(await stopsOf(first)).toMatchObject([
        { userId: null, data: { reason, userId: app.tenant.owner.userId } },
      ]);
    });
  });
});

it('a condition on messages needs a server that says them', async () => {
  const own = await createApp(app.tenant);
  const { id } = await createGitConnection(app.tenant);
  await linkRepository(own, id);
  const automation = await createAutomation(own, { commitMessagePattern: 'release: *' });
  expect(automation).toMatchObject({ commitMessagePattern: 'release: *' });
});
