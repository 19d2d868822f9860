import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { makePending } from '../../builders/deployment.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { publishManifest, uploadBundle } from '../../builders/publication.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { checkAll, createReleaseScene } from '../../support/live-updates/release-scene.js';

interface Step {
  readonly step: string;
  readonly [key: string]: unknown;
}

interface Decision {
  readonly reason: string;
  readonly channel: { readonly name: string } | null;
  readonly deployment: { readonly id: string; readonly bundleId: string } | null;
  readonly steps: readonly Step[];
  readonly goals: readonly {
    readonly channel: { readonly name: string } | null;
    readonly deployment: { readonly id: string } | null;
    readonly remedies: readonly { readonly remedy: string; readonly message: string; readonly id: string }[];
  }[];
}

const refusals: Readonly<Record<string, string>> = {
  'no-default-channel': 'No update available: the app has no default channel.',
  'channel-not-found': 'Channel not found.',
  'channel-paused': 'No update available: the channel is paused.',
  'channel-expired': 'No update available: the channel has expired.',
  'no-acceptable-deployment': 'No update available for this device.',
};

const outcomeOf = ({ deployment, reason }: Decision): string | undefined =>
  deployment?.bundleId ?? refusals[reason];

const ofDevice = async (app: TestApp, deviceId: string): Promise<Decision> => {
  const { status, body } = await app.api.get(`${app.path}/devices/${encodeURIComponent(deviceId)}/decision`);
  expect(status).toBe(200);
  return body as Decision;
};

const ofCheck = async (app: TestApp, query: Readonly<Record<string, string>>): Promise<Decision> => {
  const parameters = new URLSearchParams({
    platform: '0',
    appVersionCode: '10',
    pluginVersion: '8.4.3',
    ...query,
  });
  const { status, body } = await app.api.get(`${app.path}/decision?${parameters}`);
  expect(status).toBe(200);
  return body as Decision;
};

const remedies = async (app: TestApp, query: Readonly<Record<string, string>> = {}): Promise<object[]> =>
  (await ofCheck(app, query)).goals.flatMap((goal) => [...goal.remedies]);

describe('an explained decision', () => {
  it('is that of the update check, in hundreds of situations', async () => {
    const { app, beta, devices } = await createReleaseScene(2);
    let situations = 0;
    const compare = async (): Promise<void> => {
      const answers = await checkAll(app, devices);
      for (const [deviceId, check] of devices) {
        const [known, asked] = await Promise.all([
          ofDevice(app, deviceId),
          ofCheck(app, { ...check, deviceId }),
        ]);
        const answer = answers.get(deviceId);
        expect({ deviceId, check, answer: outcomeOf(known) }).toEqual({ deviceId, check, answer });
        expect(outcomeOf(asked)).toBe(answer);
        situations++;
      }
    };
    await compare();
    await app.api.post(`${app.path}/channels/${beta.id}/pause`);
    await app.api.patch(app.path, { appChannelId: null });
    await compare();
    await app.api.post(`${app.path}/channels/${beta.id}/resume`);
    await app.api.patch(app.path, { appChannelId: beta.id });
    await app.api.delete(`${app.path}/channels/${app.defaultChannelId}`);
    await compare();
    await createChannel(app, { name: 'Typo' });
    await registerBundle(app, { channelName: 'typo' });
    await compare();
    expect(situations).toBeGreaterThanOrEqual(200);
  });

  it('shows every step with the values that it compared, and what was chosen', async () => {
    const app = await createApp();
    const older = await registerBundle(app);
    const newer = await registerBundle(app, { rolloutPercentage: 0, minAndroidAppVersionCode: '12' });
    const deviceId = await createDevice(app);
    const decision = await ofDevice(app, deviceId);
    expect(decision).toMatchObject({
      reason: 'served',
      channel: { id: app.defaultChannelId, name: 'default' },
      deployment: {
        id: older.deploymentId,
        appBuildId: older.buildId,
        appBuildNumberAsString: '1',
        appBuildName: null,
        bundleId: older.id,
        artifactType: 'zip',
        rolloutPercentage: 1,
      },
    });
    expect(decision.steps.map(({ step }) => step)).toEqual([
      'request',
      'channel-rule',
      'channel-rule',
      'channel-rule',
      'channel-state',
      'deployment',
      'deployment',
      'result',
    ]);
    expect(decision.steps[0]).toMatchObject({ deviceId, channelName: null, platform: 'android' });
    expect(decision.steps[5]).toMatchObject({
      outcome: 'rejected',
      appDeploymentId: newer.deploymentId,
      checks: expect.arrayContaining([
        { check: 'min', passed: false, required: '12', actual: '10' },
        { check: 'max', passed: true, required: null, actual: '10' },
      ]) as unknown,
    });
    expect(decision.goals).toMatchObject([
      {
        deployment: { id: newer.deploymentId, appBuildNumberAsString: '2' },
        remedies: [
          { remedy: 'raise-rollout', target: 'deployment', id: newer.deploymentId },
          {
            remedy: 'raise-native-version',
            target: 'device',
            id: deviceId,
            required: '12',
            actual: '10',
            message: 'The native version must be at least 12: the device has 10.',
          },
        ],
      },
    ]);
  });

  it('names the least share, with which the device gets it', async () => {
    const app = await createApp();
    const { deploymentId: id } = await registerBundle(app, { rolloutPercentage: 0 });
    const deviceId = await createDevice(app);
    const [remedy] = (await ofDevice(app, deviceId)).goals[0]!.remedies as unknown as {
      required: number;
      actual: number;
      message: string;
    }[];
    const { required, actual, message } = remedy!;
    expect(actual).toBeLessThan(required);
    expect(message).toContain(`at least ${required}`);
    const serve = async (rolloutPercentage: number): Promise<number> => {
      await app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage });
      return (await checkForUpdate(app, { deviceId })).status;
    };
    expect(await serve(actual)).toBe(404);
    expect(await serve(required)).toBe(200);
    expect((await ofDevice(app, deviceId)).goals[0]!.remedies).toEqual([]);
  });

  it('says what is wrong with the channel', async () => {
    const app = await createApp();
    await registerBundle(app);
    expect(await remedies(app, { channelName: 'prodution' })).toMatchObject([
      { remedy: 'create-channel', required: 'prodution' },
    ]);
    await app.api.post(`${app.path}/channels/${app.defaultChannelId}/pause`);
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, {
      expiresAt: '2020-01-01T00:00:00Z',
    });
    expect(await remedies(app)).toMatchObject([
      { remedy: 'resume-channel', id: app.defaultChannelId },
      { remedy: 'extend-channel', id: app.defaultChannelId },
    ]);
    const empty = await createChannel(app);
    expect(await remedies(app, { channelName: empty.name.toUpperCase() })).toMatchObject([
      { remedy: 'deploy' },
    ]);
    await app.api.patch(app.path, { appChannelId: null });
    expect(await remedies(app)).toMatchObject([{ remedy: 'set-default-channel', id: app.id }]);
  });

  it('says what is wrong with the bundle or the plugin', async () => {
    const app = await createApp();
    await uploadBundle(app);
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { protected: true });
    expect(await remedies(app)).toMatchObject([
      { remedy: 'sign-bundle', required: 'signed', actual: 'unsigned' },
    ]);
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { protected: false });
    await publishManifest(app, { 'index.html': 'hello' });
    expect(await remedies(app, { pluginVersion: '6.4.9' })).toMatchObject([
      { remedy: 'support-type', target: 'device', required: '6.5.0', actual: '6.4.9' },
    ]);
    expect(await remedies(app, { platform: '2' })).toMatchObject([
      { remedy: 'support-type', target: 'bundle', required: 'zip' },
    ]);
    expect(await remedies(app)).toEqual([]);
  });

  it('names a deployment that waits for approvals, while the device gets an older one', async () => {
    const app = await createApp();
    const [older, newer] = [await registerBundle(app), await registerBundle(app)];
    const deviceId = await createDevice(app);
    const other = await createMember(app.tenant, 'member');
    await makePending(app, newer.deploymentId ?? '', other.userId);
    const { reason, deployment, goals } = await ofDevice(app, deviceId);
    expect([reason, deployment?.bundleId]).toEqual(['served', older.id]);
    expect(goals).toMatchObject([
      {
        deployment: { id: newer.deploymentId },
        remedies: [
          {
            remedy: 'approve-deployment',
            target: 'deployment',
            id: newer.deploymentId,
            message: 'Other people must approve the deployment, as the channel requires.',
          },
        ],
      },
    ]);
    expect((await app.api.post(`${app.path}/deployments/${newer.deploymentId}/approvals`)).status).toBe(200);
    expect((await ofDevice(app, deviceId)).goals[0]!.remedies).toEqual([]);
  });

  it('of a forced device speaks of both channels', async () => {
    const app = await createApp();
    await registerBundle(app);
    const qa = await createChannel(app, { name: 'qa' });
    const deviceId = await createDevice(app);
    await app.api.patch(`${app.path}/devices/${deviceId}`, { forcedAppChannelId: qa.id });
    const { reason, goals } = await ofDevice(app, deviceId);
    expect(reason).toBe('no-acceptable-deployment');
    expect(goals).toMatchObject([
      { channel: { name: 'qa' }, deployment: null, remedies: [{ remedy: 'deploy', id: qa.id }] },
      {
        channel: { name: 'default' },
        remedies: [
          {
            remedy: 'unforce-channel',
            id: deviceId,
            message: 'The device is forced to the channel qa: force it no longer.',
          },
        ],
      },
    ]);
  });

  it.each(['1..2', '-1', '1.0-beta', ' 7', '⑨'])(
    'takes the native version %j as it is',
    async (appVersionCode) => {
      const app = await createApp();
      await registerBundle(app, { minAndroidAppVersionCode: '0', eqAndroidAppVersionCode: '3' });
      const query = { appVersionCode, deviceId: 'a..b:c~d_1' };
      await createDevice(app, query);
      expect((await ofDevice(app, query.deviceId)).reason).toBe('no-acceptable-deployment');
      expect(await remedies(app, query)).toMatchObject([
        {
          remedy: 'raise-native-version',
          actual: appVersionCode,
        },
      ]);
    },
  );

  it('refuses what an update check refuses', async () => {
    const app = await createApp();
    expectInvalid(await app.api.get(`${app.path}/decision`), 'platform');
    expectInvalid(await app.api.get(`${app.path}/decision?platform=3`), 'platform');
    expectError(await app.api.get(`${app.path}/decision?platform=0&channelName=%00`), 400);
  });

  it('needs a device of this app, and an app of the caller', async () => {
    const app = await createApp();
    const other = await createApp(app.tenant);
    const deviceId = await createDevice(other);
    for (const id of [deviceId, 'unknown', '%20', 'x'.repeat(3000)]) {
      expectError(await app.api.get(`${app.path}/devices/${id}/decision`), 404, 'device_not_found');
    }
    const { owner } = await createTenant();
    expectError(await owner.api.get(`${other.path}/devices/${deviceId}/decision`), 404, 'app_not_found');
    expectError(await owner.api.get(`${other.path}/decision?platform=0`), 404, 'app_not_found');
  });

  it('leaves no trace: who only asks is no device', async () => {
    const app = await createApp();
    await ofCheck(app, { deviceId: 'just-asking' });
    expect((await app.api.get(`${app.path}/devices`)).body).toEqual([]);
  });
});
