import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createActor, createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import type { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { daysAgo, rollUpOnServer, writeDevices } from '../../support/live-updates/insights.js';
import { createFinishedBuild } from '../../support/native-builds/finished-builds.js';
import { createDestination, createReleaseBuild } from '../../support/stores/store-builds.js';

const { databaseUrl } = testEnvironment();

interface ChannelSummary {
  readonly id: string;
  readonly name: string;
  readonly daily: number | null;
  readonly monthly: number | null;
  readonly deployment: {
    readonly id: string;
    readonly devices: number | null;
    readonly rolloutPercentage: number;
    readonly plan: { readonly state: string } | null;
  } | null;
}

interface AppSummary {
  readonly appId: string;
  readonly countedAt: string | null;
  readonly daily: number | null;
  readonly monthly: number | null;
  readonly days: readonly { readonly day: string; readonly daily: number }[];
  readonly channels: readonly ChannelSummary[];
  readonly totalChannels: number;
  readonly lastBuild: { readonly id: string; readonly status: string } | null;
  readonly openSubmissions: readonly object[];
  readonly totalOpenSubmissions: number;
}

const pathOf = (apps: readonly TestApp[], query = ''): string =>
  `/v1/organizations/${apps[0]?.tenant.organizationId}/app-summaries?ids=${apps.map(({ id }) => id).join(',')}${query}`;

async function summaries(apps: readonly TestApp[], api = apps[0]?.api, query = ''): Promise<AppSummary[]> {
  const { status, body } = await (api as Api).get(pathOf(apps, query));
  expect(status).toBe(200);
  return body as AppSummary[];
}

async function summaryOf(app: TestApp, query = ''): Promise<AppSummary> {
  const [summary, ...others] = await summaries([app], app.api, query);
  expect(others).toEqual([]);
  return summary as AppSummary;
}

/** As soon as the devices are counted. */
const countedSummary = (app: TestApp, query = ''): Promise<AppSummary> =>
  eventually(async () => {
    const summary = await summaryOf(app, query);
    expect(summary.countedAt).not.toBeNull();
    return summary;
  });

describe('the summary of an app', () => {
  it('has what the channels deliver at once, and their devices when these are counted', async () => {
    const app = await createApp();
    const { owner } = app.tenant;
    const empty = await createChannel(app);
    const { id: bundleId, buildId } = await registerBundle(app, { appChannelName: 'default' });
    const { body } = await app.api.get(`${app.path}/channels/${app.defaultChannelId}`);
    const deploymentId = (body as { appDeploymentId: string }).appDeploymentId;
    await app.api.patch(`${app.path}/deployments/${deploymentId}`, { rolloutPercentage: 0.25 });
    await writeDevices(
      app,
      [
        { seen: [0, 1], bundleId },
        { seen: [0] },
        { seen: [1, 3], bundleId },
        { seen: [2], bundleId: randomUUID() },
        { seen: [0], channelId: empty.id, bundleId },
        { seen: [0], channelId: null },
        { seen: [0], channelId: app.defaultChannelId, forcedChannelId: empty.id },
        { seen: [40], bundleId },
      ],
      60,
    );
    await rollUpOnServer();
    const first = await summaryOf(app);
    const deployment = {
      id: deploymentId,
      appBuildId: buildId,
      numberAsString: '1',
      displayName: null,
      gitCommitSha: null,
      rolloutPercentage: 0.25,
      takenBackAt: null,
      plan: null,
      devices: null,
      createdBy: { id: owner.userId, name: null, email: owner.email },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    };
    const channels = [
      { id: app.defaultChannelId, name: 'default', deployment },
      { id: empty.id, name: empty.name, deployment: null },
    ].map((channel) => ({ ...channel, pausedAt: null, expiresAt: null, daily: null, monthly: null }));
    expect(first).toEqual({
      appId: app.id,
      countedAt: null,
      daily: null,
      monthly: null,
      days: expect.any(Array) as unknown,
      channels,
      totalChannels: 2,
      lastBuild: {
        id: buildId,
        numberAsString: '1',
        platform: 'web',
        status: 'succeeded',
        displayName: null,
        gitRef: null,
        gitCommitSha: null,
        createdAt: expect.any(String) as string,
      },
      openSubmissions: [],
      totalOpenSubmissions: 0,
    });
    // Those that are over, as insights count them.
    expect(first.days.slice(-3)).toEqual([
      { day: daysAgo(3), daily: 1 },
      { day: daysAgo(2), daily: 1 },
      { day: daysAgo(1), daily: 2 },
    ]);
    expect(first.days).toHaveLength(13);
    const counted = await countedSummary(app);
    expect(counted).toMatchObject({
      daily: 5,
      monthly: 7,
      channels: [
        { id: app.defaultChannelId, daily: 2, monthly: 4, deployment: { id: deploymentId, devices: 2 } },
        { id: empty.id, daily: 2, monthly: 2, deployment: null },
      ],
    });
    expect(counted.days).toHaveLength(14);
    expect(counted.days.at(-1)).toEqual({ day: daysAgo(0), daily: 5 });
    expect(Date.now() - Date.parse(counted.countedAt ?? '')).toBeLessThan(60_000);
  });

  it('has yesterday before it is counted for good', async () => {
    const app = await createApp();
    await writeDevices(app, [{ seen: [0, 1] }, { seen: [1] }, { seen: [0, 2] }], 5);
    expect((await countedSummary(app)).days).toEqual([
      { day: daysAgo(1), daily: 2 },
      { day: daysAgo(0), daily: 2 },
    ]);
  });

  it('shows a new deployment and another share at once, and soon who runs it', async () => {
    const app = await createApp();
    const { id: former } = await registerBundle(app, { appChannelName: 'default' });
    await writeDevices(app, [{ seen: [0], bundleId: former }], 1);
    await countedSummary(app);
    const { id } = await createDeployment(app);
    const delivered = async () => (await summaryOf(app)).channels[0]?.deployment;
    expect(await delivered()).toMatchObject({ id, devices: null, rolloutPercentage: 1 });
    await app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage: 0.5 });
    expect(await delivered()).toMatchObject({ id, rolloutPercentage: 0.5 });
    await eventually(async () => expect(await delivered()).toMatchObject({ id, devices: 0 }), 10_000);
  });

  it('shows where a plan is', async () => {
    const app = await createApp();
    const { id } = await createDeployment(app, { rolloutPercentage: 0 });
    await putPlan(app, id, {}, 'start');
    const plan = async () => (await summaryOf(app)).channels[0]?.deployment?.plan;
    expect(await plan()).toEqual({
      steps: [
        { percentage: 0.1, durationMinutes: 60 },
        { percentage: 0.5, durationMinutes: 60 },
        { percentage: 1, durationMinutes: null },
      ],
      state: 'running',
      reason: null,
      stepIndex: 0,
      stepEndsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      frozenUntil: null,
    });
    await app.api.post(`${app.path}/deployments/${id}/rollout-plan/hold`);
    await eventually(async () =>
      expect(await plan()).toMatchObject({ state: 'held', reason: 'person', stepIndex: 0 }),
    );
  });

  it('has the newest build, and what is on its way to stores', async () => {
    const app = await createApp();
    const destination = await createDestination(app, { requiredApprovals: 1 });
    const appBuildId = await createReleaseBuild(app);
    const { body } = await app.api.post(`${app.path}/deployments`, {
      appBuildId,
      appDestinationId: destination.id,
    });
    const { id } = await createFinishedBuild(app, [], { git_ref: 'main' }, 'failed');
    expect(await summaryOf(app)).toMatchObject({
      lastBuild: { id, platform: 'android', status: 'failed', gitRef: 'main' },
      openSubmissions: [
        {
          id: (body as { id: string }).id,
          appDestinationId: destination.id,
          appDestinationName: destination.name,
          action: 'submit',
          state: 'created',
          versionName: expect.any(String) as string,
        },
      ],
      totalOpenSubmissions: 1,
    });
  });

  it('begins with the default channel where no channel has devices', async () => {
    const unused = await createApp();
    await createChannel(unused, { name: 'a-first-name' });
    const { channels } = await summaryOf(unused);
    expect(channels.map(({ id }) => id)[0]).toBe(unused.defaultChannelId);
    expect(channels.map(({ name }) => name)[1]).toBe('a-first-name');
  });

  it('has the 20 channels with the most devices, and pages of the others', async () => {
    const app = await createApp();
    const channels: TestChannel[] = [];
    for (let number = 10; number < 34; number++) {
      channels.push(await createChannel(app, { name: `channel ${number}` }));
    }
    expect((await summaryOf(app)).channels.map(({ name }) => name)).toEqual([
      'default',
      ...Array.from({ length: 19 }, (_, index) => `channel ${index + 10}`),
    ]);
    // The last channel has the most: 3, 2, 2, 1.
    const seen = [23, 23, 23, 22, 22, 21, 21, 20].map((index) => ({
      seen: [0],
      channelId: channels[index]?.id ?? '',
    }));
    await writeDevices(app, seen, 1);
    // They are counted again soon, because a channel has changed.
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { name: 'default again' });
    const first = await eventually(async () => {
      const summary = await summaryOf(app);
      expect(summary.channels[0]).toMatchObject({ name: 'channel 33', daily: 3, monthly: 3 });
      return summary;
    }, 20_000);
    expect(first.channels.map(({ monthly }) => monthly)).toEqual([3, 2, 2, 1, ...Array<number>(16).fill(0)]);
    expect(first.totalChannels).toBe(25);
    const rest = await summaryOf(app, '&channelOffset=20');
    expect(rest.channels).toHaveLength(5);
    expect(new Set([...first.channels, ...rest.channels].map(({ id }) => id)).size).toBe(25);
    expect((await summaryOf(app, '&channelOffset=2')).channels[0]).toEqual(first.channels[2]);
    expect(await summaryOf(app, '&channelOffset=25')).toMatchObject({ channels: [], totalChannels: 25 });
  });
});

describe('summaries', () => {
  let tenant: Tenant;
  let app: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    tenant = await createTenant();
    app = await createApp(tenant);
    other = await createApp(tenant);
  });

  const idsOf = async (apps: readonly TestApp[], api: Api): Promise<string[]> =>
    (await summaries(apps, api)).map(({ appId }) => appId);

  it('are those of the apps that the caller can see, in the order of the ids', async () => {
    const foreign = await createApp();
    const deleted = await createApp(tenant);
    expect(await idsOf([app, deleted], app.api)).toEqual([app.id, deleted.id]);
    await app.api.delete(deleted.path);
    const unknown = { ...app, id: randomUUID() };
    expect(await idsOf([app, foreign, deleted, unknown, other, app], app.api)).toEqual([app.id, other.id]);
    expect(await idsOf([{ ...app, id: app.id.toUpperCase() }], app.api)).toEqual([app.id]);
    const token = await createToken(app.api, { appIds: [other.id] });
    expect(await idsOf([app, other], token.api)).toEqual([other.id]);
    const member = await createMember(tenant, 'member');
    const team = await createTeam(tenant);
    await assignApp(tenant, team, app.id);
    expect(await idsOf([app, other], member.api)).toEqual([]);
    const assignment = await assignMember(tenant, team, member.memberId);
    expect(await idsOf([app, other], member.api)).toEqual([app.id]);
    await app.api.delete(`${team.path}/members/${assignment}`);
    expect(await idsOf([app, other], member.api)).toEqual([]);
    await app.api.delete(team.path);
  });

  it('need every permission, at every request', async () => {
    const viewer = await createMember(tenant, 'viewer');
    expect(await idsOf([app], viewer.api)).toEqual([app.id]);
    await query(databaseUrl, `UPDATE members SET role = 'billing' WHERE id = $1`, [viewer.memberId]);
    expectError(await viewer.api.get(pathOf([app])), 403, 'not_authorized');
    await query(databaseUrl, 'DELETE FROM members WHERE id = $1', [viewer.memberId]);
    expectError(await viewer.api.get(pathOf([app])), 404, 'organization_not_found');
    const all = ['insights:read', 'channels:read', 'deployments:read', 'builds:read'];
    const enough = await createToken(app.api, { permissions: all });
    expect(await idsOf([app], enough.api)).toEqual([app.id]);
    for (const lacked of all) {
      const { api } = await createToken(app.api, { permissions: all.filter((each) => each !== lacked) });
      const { message } = expectError(await api.get(pathOf([app])), 403, 'token_limited');
      expect(message).toContain(lacked);
    }
    const { api } = await createActor();
    expectError(await api.get(pathOf([app])), 404, 'organization_not_found');
  });

  it('are of 1 to 100 apps, and an offset is for one', async () => {
    const path = `/v1/organizations/${tenant.organizationId}/app-summaries`;
    const ids = (count: number): string => Array.from({ length: count }, () => randomUUID()).join(',');
    expect((await app.api.get(`${path}?ids=${ids(100)}`)).body).toEqual([]);
    for (const search of [
      '',
      '?ids=',
      `?ids=${ids(101)}`,
      '?ids=1',
      `?ids=${app.id},`,
      `?ids=${app.id}&ids=1`,
    ]) {
      expectInvalid(await app.api.get(path + search), 'ids');
    }
    for (const offset of ['-1', 'x', '1.5', '99999999999', '1&channelOffset=2']) {
      expectInvalid(await app.api.get(pathOf([app], `&channelOffset=${offset}`)), 'channelOffset');
    }
    expectInvalid(await app.api.get(pathOf([app, other], '&channelOffset=20')), 'channelOffset');
    expect((await summaries([app, other], app.api, '&channelOffset=0')).length).toBe(2);
  });
});
