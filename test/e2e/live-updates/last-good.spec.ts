import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createMember } from '../../builders/identities.js';
import { lookNow, passStep, putPlan, type TestPlan } from '../../builders/rollout-plan.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { eventually } from '../../support/eventually.js';

const { databaseUrl } = testEnvironment();

let app: TestApp;
let good: TestBundle;

beforeEach(async () => {
  app = await createApp();
  good = await registerBundle(app);
});

/** The id of the last good deployment; `null`: none. Lists and single channels agree. */
async function lastGood(): Promise<string | null> {
  const shown = (await app.api.get(`${app.path}/channels/${app.defaultChannelId}`)).body as Channel;
  const [listed] = (await app.api.get(`${app.path}/channels?name=default`)).body as Channel[];
  expect(listed?.lastGood).toEqual(shown.lastGood);
  return shown.lastGood?.appDeploymentId ?? null;
}

interface Channel {
  readonly lastGood: { readonly appDeploymentId: string } | null;
}

const setShare = async (id: string | null, rolloutPercentage: number): Promise<void> => {
  const { status } = await app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage });
  expect(status).toBe(200);
};

describe('the last good deployment of a channel', () => {
  it('is the newest one before the active one, of another build, that all devices got', async () => {
    expect(await lastGood()).toBeNull();
    await registerBundle(app, { rolloutPercentage: 0.5 });
    await registerBundle(app, { rolloutPercentage: 0.1 });
    const { body } = await app.api.get(`${app.path}/channels/${app.defaultChannelId}`);
    expect((body as Channel).lastGood).toEqual({
      appDeploymentId: good.deploymentId,
      appBuildId: good.buildId,
      appBuildNumber: 1,
    });
  });

  it('is not another deployment of the active build', async () => {
    await createDeployment(app, { appBuildId: good.buildId });
    expect(await lastGood()).toBeNull();
  });

  it('stays one when its share is lowered, but not to 0, until it is 1 again', async () => {
    await registerBundle(app);
    await setShare(good.deploymentId, 0.5);
    expect(await lastGood()).toBe(good.deploymentId);
    await setShare(good.deploymentId, 0);
    expect(await lastGood()).toBeNull();
    await setShare(good.deploymentId, 0.5);
    expect(await lastGood()).toBeNull();
    await setShare(good.deploymentId, 1);
    expect(await lastGood()).toBe(good.deploymentId);
  });

  it('is none that an older build has taken back', async () => {
    const bad = await registerBundle(app);
    const back = await createDeployment(app, { appBuildId: good.buildId });
    expect(await lastGood()).toBeNull();
    await setShare(bad.deploymentId, 1);
    expect(await lastGood()).toBeNull();
    await registerBundle(app, { rolloutPercentage: 0 });
    expect(await lastGood()).toBe(back.id);
    await setShare(back.id, 0);
    expect(await lastGood()).toBe(good.deploymentId);
  });

  it('was not taken back while no device got it, until its share is 0 again', async () => {
    const { deploymentId } = await registerBundle(app, { rolloutPercentage: 0 });
    const takenBackAt = async (): Promise<string | null> =>
      ((await app.api.get(`${app.path}/deployments/${deploymentId}`)).body as { takenBackAt: string | null })
        .takenBackAt;
    expect(await takenBackAt()).toBeNull();
    await setShare(deploymentId, 0.5);
    expect(await takenBackAt()).toBeNull();
    await setShare(deploymentId, 0);
    expect(await takenBackAt()).toMatch(/^\d{4}-/);
    await setShare(deploymentId, 0.5);
    expect(await takenBackAt()).toMatch(/^\d{4}-/);
    await setShare(deploymentId, 1);
    expect(await takenBackAt()).toBeNull();
  });

  it('is none whose plan was aborted, and one whose plan was completed', async () => {
    const next = await registerBundle(app, { rolloutPercentage: 0 });
    const id = next.deploymentId ?? '';
    await putPlan(app, id, { steps: [{ percentage: 1 }] }, 'start');
    await registerBundle(app);
    expect(await lastGood()).toBe(id);
    const last = await registerBundle(app);
    await putPlan(app, last.deploymentId ?? '', {}, 'start', 'abort');
    await registerBundle(app);
    expect(await lastGood()).not.toBe(last.deploymentId);
  });

  it('is none that its health gate has stopped, until it reaches all devices after all', async () => {
    const next = await registerBundle(app);
    const id = next.deploymentId ?? '';
    const steps = [{ percentage: 0.999999, durationMinutes: 60 }, { percentage: 1 }];
    const healthGate = { maxFailureShare: 0.1, minDevices: 3, confidence: 0.8 };
    await putPlan(app, id, { healthGate, steps }, 'start');
    for (let device = 0; device < 6; device++) await rollBack(app, randomUUID(), next.id);
    await lookNow(id);
    const plan = `${app.path}/deployments/${id}/rollout-plan`;
    await eventually(async () =>
      expect((await app.api.get(plan)).body as TestPlan).toMatchObject({
        state: 'held',
        reason: 'health-gate',
      }),
    );
    await registerBundle(app, { rolloutPercentage: 0 });
    expect(await lastGood()).toBe(good.deploymentId);
    await setShare(id, 1);
    expect(await lastGood()).toBe(id);
  });

  it('counts when it goes live, not while it waits for approvals', async () => {
    const channel = await createChannel(app, { requiredApprovals: 1 });
    const values = { appChannelId: channel.id, appBuildId: good.buildId };
    const { id } = await createDeployment(app, values);
    const { buildId } = await registerBundle(app);
    const emergency = { reason: 'Test' };
    await createDeployment(app, { appChannelId: channel.id, appBuildId: buildId, emergency });
    const shown = async () => (await app.api.get(`${app.path}/channels/${channel.id}`)).body as Channel;
    expect((await shown()).lastGood).toBeNull();
    const approver = await createMember(app.tenant, 'admin');
    await approver.api.post(`${app.path}/deployments/${id}/approvals`, {});
    expect((await shown()).lastGood).toMatchObject({ appDeploymentId: id });
  });

  it('is one from before this was remembered if its share is 1', async () => {
    await registerBundle(app);
    const forget = (share: number) =>
      query(
        databaseUrl,
        'UPDATE deployments SET reached_all_at = NULL, taken_back_at = NULL, rollout_percentage = $2 WHERE id = $1',
        [good.deploymentId, share],
      );
    await forget(1);
    expect(await lastGood()).toBe(good.deploymentId);
    await forget(0.9);
    expect(await lastGood()).toBeNull();
  });

  it('passes the end of a plan step by step', async () => {
    const next = await registerBundle(app, { rolloutPercentage: 0 });
    const id = next.deploymentId ?? '';
    await putPlan(app, id, { steps: [{ percentage: 0.1, durationMinutes: 60 }, { percentage: 1 }] }, 'start');
    await passStep(id);
    await eventually(async () =>
      expect(
        ((await app.api.get(`${app.path}/deployments/${id}`)).body as { rolloutPercentage: number })
          .rolloutPercentage,
      ).toBe(1),
    );
    await registerBundle(app, { rolloutPercentage: 0 });
    expect(await lastGood()).toBe(id);
  });
});
