import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createNativeBuild } from '../../builders/build.js';
import { createBundle, registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createDevice } from '../../builders/device.js';
import { createTenant } from '../../builders/identities.js';
import { uploadBundle } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { checkAll, createReleaseScene, type ReleaseScene } from '../../support/live-updates/release-scene.js';

interface Counts {
  readonly devices: number;
  readonly changed: number;
  readonly receiving: number;
  readonly excluded: readonly { readonly reason: string; readonly devices: number }[];
}

interface Simulated {
  readonly knownDevices: number;
  readonly evaluatedDevices: number;
  readonly isExact: boolean;
  readonly total: Counts;
  readonly deployments: readonly {
    readonly appDeploymentId: string | null;
    readonly bundleId: string;
    readonly before: number;
    readonly after: number;
  }[];
  readonly withoutUpdate: readonly {
    readonly reason: string;
    readonly before: number;
    readonly after: number;
  }[];
  readonly breakdown: {
    readonly platforms: readonly (Counts & { readonly platform: string })[];
    readonly nativeVersions: readonly (Counts & { readonly appVersionCode: string })[];
    readonly pluginVersions: readonly (Counts & { readonly pluginVersion: string })[];
  };
}

const simulate = async (app: TestApp, body: object): Promise<Simulated> => {
  const response = await app.api.post(`${app.path}/simulations`, body);
  if (response.status !== 200) throw new Error(response.text);
  return response.body as Simulated;
};

const refused = (app: TestApp, body: object): ReturnType<TestApp['api']['post']> =>
  app.api.post(`${app.path}/simulations`, body);

/** Every device is counted once, in all and in each breakdown. */
function expectComplete({ evaluatedDevices, total, deployments, withoutUpdate, breakdown }: Simulated): void {
  const { platforms, nativeVersions, pluginVersions } = breakdown;
  for (const counts of [[total], platforms, nativeVersions, pluginVersions]) {
    expect(sum(counts.map(({ devices }) => devices))).toBe(evaluatedDevices);
    for (const { devices, receiving, excluded } of counts) {
      expect(receiving + sum(excluded.map((kept) => kept.devices))).toBe(devices);
    }
  }
  for (const when of ['before', 'after'] as const) {
    expect(sum([...deployments, ...withoutUpdate].map((counts) => counts[when]))).toBe(evaluatedDevices);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe('a simulation', () => {
  let scene: ReleaseScene;

  beforeAll(async () => {
    scene = await createReleaseScene(2);
  });

  /** How many devices get each bundle, or none, by their own update checks. */
  const counted = (answers: ReadonlyMap<string, string>): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const answer of answers.values()) {
      const outcome = answer.includes(' ') ? 'none' : answer;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  };

  const predicted = (
    { deployments, withoutUpdate }: Simulated,
    when: 'before' | 'after',
  ): Record<string, number> => {
    const counts: Record<string, number> = {};
    const outcomes = [
      ...deployments.map(({ bundleId, ...shift }) => [bundleId, shift[when]] as const),
      ...withoutUpdate.map((shift) => ['none', shift[when]] as const),
    ];
    for (const [outcome, devices] of outcomes) {
      if (devices > 0) counts[outcome] = (counts[outcome] ?? 0) + devices;
    }
    return counts;
  };

  it.each<[string, (scene: ReleaseScene) => Promise<[object, () => Promise<unknown>]>]>([
    [
      'a rollout',
      async ({ app, beta }) => {
        const { body } = await app.api.get(`${app.path}/deployments?appChannelId=${beta.id}`);
        const { id } = (body as { id: string }[])[0]!;
        const rolloutPercentage = 0.8;
        return [
          { change: 'rollout', appDeploymentId: id, rolloutPercentage },
          () => app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage }),
        ];
      },
    ],
    [
      'a full deployment',
      async ({ app }) => {
        const { buildId } = await uploadBundle(app, {
          channelName: (await createChannel(app)).name,
          maxAndroidAppVersionCode: '11',
        });
        const values = { appBuildId: buildId, appChannelName: 'BETA' };
        return [{ change: 'deploy', ...values }, () => app.api.post(`${app.path}/deployments`, values)];
      },
    ],
    [
      'a pause',
      async ({ app, beta }) => [
        { change: 'pause', appChannelName: 'Beta' },
        () => app.api.post(`${app.path}/channels/${beta.id}/pause`),
      ],
    ],
    [
      'a resumption',
      async ({ app, beta }) => [
        { change: 'resume', appChannelId: beta.id },
        () => app.api.post(`${app.path}/channels/${beta.id}/resume`),
      ],
    ],
    [
      'forcing devices',
      async ({ app, devices }) => {
        const deviceIds = [...devices.keys()].slice(10, 25);
        const forcedAppChannelId = app.defaultChannelId;
        const ids = deviceIds.map(encodeURIComponent).join(',');
        return [
          { change: 'force', deviceIds, forcedAppChannelId },
          () => app.api.patch(`${app.path}/devices?ids=${ids}`, { forcedAppChannelId }),
        ];
      },
    ],
    [
      'forcing devices no longer',
      async ({ app, devices }) => {
        const deviceIds = [...devices.keys()].slice(0, 50);
        const ids = deviceIds.map(encodeURIComponent).join(',');
        return [
          { change: 'force', deviceIds, forcedAppChannelId: null },
          () => app.api.patch(`${app.path}/devices?ids=${ids}`, { forcedAppChannelId: null }),
        ];
      },
    ],
    [
      'a deletion',
      async ({ app, beta }) => {
        const { body } = await app.api.get(`${app.path}/channels/${beta.id}?relations=appDeployment`);
        const { appBuildId } = (body as { appDeployment: { appBuildId: string } }).appDeployment;
        const artifacts = await app.api.get(`${app.path}/builds/${appBuildId}/artifacts`);
        const { id: bundleId } = (artifacts.body as { id: string }[])[0]!;
        return [
          { change: 'delete-bundle', bundleId },
          () => app.api.delete(`${app.path}/bundles/${bundleId}`),
        ];
      },
    ],
  ])(
    'of %s says what the update checks of all devices answer before and after it',
    async (_what, prepare) => {
      const { app, devices } = scene;
      const [change, carryOut] = await prepare(scene);
      const before = await checkAll(app, devices);
      const simulated = await simulate(app, change);
      expect(await checkAll(app, devices)).toEqual(before);
      await carryOut();
      const after = await checkAll(app, devices);
      expect(simulated).toMatchObject({
        knownDevices: devices.size,
        evaluatedDevices: devices.size,
        isExact: true,
      });
      expectComplete(simulated);
      expect(predicted(simulated, 'before')).toEqual(counted(before));
      expect(predicted(simulated, 'after')).toEqual(counted(after));
      const changed = [...devices.keys()].filter(
        (id) => before.get(id) !== after.get(id) && !isNothing(before, after, id),
      );
      expect(simulated.total.changed).toBe(changed.length);
    },
  );

  const isNothing = (
    before: ReadonlyMap<string, string>,
    after: ReadonlyMap<string, string>,
    id: string,
  ): boolean => [before, after].every((answers) => answers.get(id)?.includes(' '));

  it('counts why devices are kept back, and by what they report', async () => {
    const app = await createApp();
    await registerBundle(app);
    const { buildId } = await registerBundle(app, { minAndroidAppVersionCode: '12' });
    const qa = await createChannel(app, { name: 'qa' });
    const forced = await createDevice(app, { appVersionCode: '12' });
    await app.api.patch(`${app.path}/devices/${forced}`, { forcedAppChannelId: qa.id });
    await createDevice(app, { appVersionCode: '12' });
    await createDevice(app, { appVersionCode: '11', pluginVersion: '7.0.0' });
    await createDevice(app, { appVersionCode: '1..2' });
    await createDevice(app, { platform: '1', appVersionCode: '1' });
    await createDevice(app, { channelName: 'QA' });
    await createDevice(app, { channelName: 'typo' });
    const deploy = { change: 'deploy', appBuildId: buildId, appChannelName: 'DEFAULT' };
    const simulated = await simulate(app, deploy);
    expectComplete(simulated);
    expect(simulated.total).toMatchObject({ devices: 7, changed: 2, receiving: 2 });
    expect(new Map(simulated.total.excluded.map(({ reason, devices }) => [reason, devices]))).toEqual(
      new Map([
        ['min', 2],
        ['forced-elsewhere', 1],
        ['other-channel', 1],
        ['channel-not-found', 1],
      ]),
    );
    expect(simulated.deployments).toContainEqual(
      expect.objectContaining({ appDeploymentId: null, before: 0, after: 2 }),
    );
    expect(simulated.breakdown.platforms).toContainEqual(
      expect.objectContaining({ platform: 'ios', devices: 1, changed: 1, receiving: 1, excluded: [] }),
    );
    expect(simulated.breakdown.nativeVersions).toContainEqual(
      expect.objectContaining({ appVersionCode: '1..2', excluded: [{ reason: 'min', devices: 1 }] }),
    );
    expect(simulated.breakdown.pluginVersions).toContainEqual(
      expect.objectContaining({ pluginVersion: '7.0.0', runtime: null, devices: 1 }),
    );
    const anonymous = await simulate(app, { ...deploy, rolloutPercentage: 0 });
    expect(anonymous).toMatchObject({ isExact: true, total: { changed: 0, receiving: 0 } });
    expect(anonymous.total.excluded).toContainEqual({ reason: 'rollout', devices: 2 });
    const some = await simulate(app, { ...deploy, rolloutPercentage: 0.5 });
    expect(some.isExact).toBe(false);
    expect(await simulate(app, { ...deploy, rolloutPercentage: 0.5 })).toMatchObject({ total: some.total });
  });

  it('counts devices that were seen lately, and says so when it takes a sample', async () => {
    const app = await createApp();
    await registerBundle(app);
    await query(
      testEnvironment().databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            channel_id, last_seen_at)
       SELECT $1, 'device-' || n, 0, '10', '1', '34', '8.4.3', $2, now() - (n - 0.5) * interval '0.02 days'
         FROM generate_series(1, 2000) AS n`,
      [app.id, app.defaultChannelId],
    );
    const pause = { change: 'pause', appChannelId: app.defaultChannelId };
    expect(await simulate(app, pause)).toMatchObject({
      knownDevices: 1500,
      evaluatedDevices: 1500,
      isExact: true,
    });
    const week = await simulate(app, { ...pause, seenWithinDays: 7 });
    expect([week.knownDevices, week.total.changed]).toEqual([350, 350]);
    const sample = await simulate(app, { ...pause, seenWithinDays: 3650, maxDevices: 500 });
    expect([sample.knownDevices, sample.isExact]).toEqual([2000, false]);
    expect(sample.evaluatedDevices).toBeGreaterThan(350);
    expect(sample.evaluatedDevices).toBeLessThan(650);
    expectComplete(sample);
    expect(await simulate(app, { ...pause, seenWithinDays: 3650, maxDevices: 500 })).toMatchObject({
      total: sample.total,
    });
  });

  it('changes nothing', async () => {
    const { app } = scene;
    const { buildId } = await registerBundle(app, { channelName: 'old' });
    const state = async (): Promise<unknown[]> =>
      Promise.all(
        ['channels?limit=50', 'deployments', 'devices?limit=100', 'builds'].map(
          async (list) => (await app.api.get(`${app.path}/${list}`)).body as unknown,
        ),
      );
    const before = await state();
    await simulate(app, { change: 'deploy', appBuildId: buildId, appChannelName: 'beta' });
    await simulate(app, { change: 'pause', appChannelName: 'beta' });
    await simulate(app, { change: 'force', deviceIds: ['device-0:0~'], forcedAppChannelId: null });
    expect(await state()).toEqual(before);
  });

  it('of many at once, one of an app runs and the others are answered or asked to try again', async () => {
    const { app } = scene;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refused(app, { change: 'pause', appChannelName: 'beta' })),
    );
    for (const answer of answers) {
      if (answer.status === 429) expectError(answer, 429, 'server_busy');
      else if (answer.status !== 200) expectError(answer, 409, 'simulation_running');
    }
    expect(answers.map(({ status }) => status)).toContain(200);
  });

  it('knows that only the newest 100 deployments of a channel count', async () => {
    const app = await createApp();
    const oldest = await registerBundle(app);
    const { id: unwanted, buildId } = await registerBundle(app, { minAndroidAppVersionCode: '99' });
    for (let number = 0; number < 98; number++) await createDeployment(app, { appBuildId: buildId });
    await createDevice(app);
    const deploy = await simulate(app, {
      change: 'deploy',
      appBuildId: buildId,
      appChannelId: app.defaultChannelId,
    });
    expect(deploy.withoutUpdate).toEqual([{ reason: 'no-acceptable-deployment', before: 0, after: 1 }]);
    await createDeployment(app, { appBuildId: buildId });
    const deletion = await simulate(app, { change: 'delete-bundle', bundleId: unwanted });
    expect(deletion.deployments).toMatchObject([{ bundleId: oldest.id, before: 0, after: 1 }]);
  });

  describe('refuses', () => {
    let app: TestApp;
    let buildId: string;

    beforeAll(async () => {
      app = await createApp();
      ({ buildId } = await registerBundle(app));
    });

    it.each([-0.1, 1.1, '0.5', true, [], {}, 1e308])('the share %j', async (rolloutPercentage) => {
      const appDeploymentId = uuid();
      const rollout = { change: 'rollout', appDeploymentId, rolloutPercentage };
      expectInvalid(await refused(app, rollout), 'rolloutPercentage');
      const deploy = { change: 'deploy', appBuildId: buildId, appChannelName: 'default', rolloutPercentage };
      expectInvalid(await refused(app, deploy), 'rolloutPercentage');
    });

    it('what is no number, such as NaN', async () => {
      const response = await app.api
        .request('post', `${app.path}/simulations`)
        .set('Content-Type', 'application/json')
        .send('{"change":"rollout","rolloutPercentage":NaN}');
      expectError(response, 400, 'malformed_json');
    });

    it.each<[object, ...string[]]>([
      [{}, 'change'],
      [{ change: 'destroy' }, 'change'],
      [{ change: ['pause'] }, 'change'],
      [{ change: 'deploy' }, 'appBuildId'],
      [
        { change: 'deploy', appBuildId: 5, appChannelId: 'x', appChannelName: 7 },
        'appBuildId',
        'appChannelId',
        'appChannelName',
      ],
      [{ change: 'rollout' }, 'appDeploymentId', 'rolloutPercentage'],
      [{ change: 'rollout', appDeploymentId: uuid(), rolloutPercentage: null }, 'rolloutPercentage'],
      [{ change: 'pause' }, 'appChannelId'],
      [{ change: 'pause', appChannelName: '' }, 'appChannelName'],
      [{ change: 'delete-bundle', bundleId: null }, 'bundleId'],
      [{ change: 'force' }, 'deviceIds', 'forcedAppChannelId'],
      [{ change: 'force', deviceIds: [], forcedAppChannelId: null }, 'deviceIds'],
      [{ change: 'force', deviceIds: 'a', forcedAppChannelId: null }, 'deviceIds'],
      [{ change: 'force', deviceIds: [5], forcedAppChannelId: null }, 'deviceIds'],
      [{ change: 'force', deviceIds: ['x'.repeat(256)], forcedAppChannelId: null }, 'deviceIds'],
      [{ change: 'pause', seenWithinDays: 0, maxDevices: 1e9 }, 'seenWithinDays', 'maxDevices'],
      [{ change: 'pause', seenWithinDays: '7', maxDevices: null }, 'seenWithinDays', 'maxDevices'],
    ])('%j', async (body, ...fields) => {
      expectInvalid(await refused(app, body), ...fields);
    });

    it('what the app does not have', async () => {
      const other = await createApp(app.tenant);
      const foreign = await registerBundle(other);
      const appChannelId = app.defaultChannelId;
      const refusals: [object, string][] = [
        [{ change: 'deploy', appBuildId: foreign.buildId, appChannelId }, 'build_not_found'],
        [
          { change: 'deploy', appBuildId: buildId, appChannelId: other.defaultChannelId },
          'channel_not_found',
        ],
        [{ change: 'deploy', appBuildId: buildId, appChannelName: 'unknown' }, 'channel_not_found'],
        [
          { change: 'rollout', appDeploymentId: foreign.deploymentId, rolloutPercentage: 1 },
          'deployment_not_found',
        ],
        [{ change: 'pause', appChannelId: other.defaultChannelId }, 'channel_not_found'],
        [{ change: 'resume', appChannelName: 'unknown' }, 'channel_not_found'],
        [{ change: 'delete-bundle', bundleId: foreign.id }, 'bundle_not_found'],
        [{ change: 'force', deviceIds: ['unknown'], forcedAppChannelId: null }, 'device_not_found'],
        [{ change: 'force', deviceIds: ['unknown'], forcedAppChannelId: uuid() }, 'channel_not_found'],
      ];
      for (const [body, code] of refusals) expectError(await refused(app, body), 404, code);
      const { owner } = await createTenant();
      const response = await owner.api.post(`${app.path}/simulations`, { change: 'pause', appChannelId });
      expectError(response, 404, 'app_not_found');
    });

    it('builds that cannot be deployed', async () => {
      const native = await createNativeBuild(app, 'ios', 900);
      const pending = await createBundle(app);
      for (const appBuildId of [native, pending.buildId]) {
        const deploy = { change: 'deploy', appBuildId, appChannelName: 'default' };
        expectInvalid(await refused(app, deploy), 'appBuildId');
      }
      await createChannel(app, { name: 'safe', protected: true });
      const unsigned = { change: 'deploy', appBuildId: buildId, appChannelName: 'SAFE' };
      expectError(await refused(app, unsigned), 400, 'unsigned_bundle');
    });
  });
});
