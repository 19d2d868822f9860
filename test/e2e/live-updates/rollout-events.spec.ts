import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { passStep, putPlan } from '../../builders/rollout-plan.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { recordedEvents } from '../../support/events/recorded-events.js';
import { eventually } from '../../support/eventually.js';

let app: TestApp;
let id: string;
let bundleId: string;

beforeEach(async () => {
  app = await createApp();
  await registerBundle(app);
  const bundle = await registerBundle(app, { rolloutPercentage: 0 });
  id = bundle.deploymentId ?? '';
  bundleId = bundle.id;
});

const act = (action: string) => app.api.post(`${app.path}/deployments/${id}/rollout-plan/${action}`);

/** The events of the deployment after it went live. */
const events = async () =>
  (await recordedEvents({ objectId: id }))
    .filter(({ type }) => !/_(created|live)$/.test(type))
    .map(({ type, data, channelId, userId }) => ({
      type: type.replace('app_', ''),
      channelId,
      userId,
      ...(data as { stepIndex: number; reason: string | null; rolloutPercentage: number }),
    }));
const types = async (): Promise<string[]> => (await events()).map(({ type }) => type);
const eventuallyTypes = (expected: readonly string[]): Promise<void> =>
  eventually(async () => expect(await types()).toEqual(expected));

describe('a rollout plan', () => {
  it('has an event for each step, and one when it is completed', async () => {
    await putPlan(app, id);
    expect(await events()).toEqual([]);
    await Promise.all([act('start'), act('start')]);
    await passStep(id);
    await eventuallyTypes(['rollout_step_reached', 'rollout_step_reached']);
    await passStep(id);
    await eventuallyTypes(['rollout_step_reached', 'rollout_step_reached', 'rollout_completed']);
    const { userId } = app.tenant.owner;
    const steps = { channelId: app.defaultChannelId, totalSteps: 3, appDeploymentId: id, reason: null };
    expect(await events()).toMatchObject([
      { ...steps, stepIndex: 0, rolloutPercentage: 0.1, userId, stepEndsAt: expect.any(String) as string },
      { ...steps, stepIndex: 1, rolloutPercentage: 0.5, userId: null },
      { ...steps, stepIndex: 2, rolloutPercentage: 1, userId: null, stepEndsAt: null },
    ]);
  });

  it('says who holds, resumes and aborts it', async () => {
    await putPlan(app, id, {}, 'start');
    await Promise.all([act('hold'), act('hold')]);
    await act('resume');
    await act('abort');
    await act('abort');
    expect(await events()).toMatchObject([
      { type: 'rollout_step_reached', rolloutPercentage: 0.1 },
      { type: 'rollout_held', reason: 'person', rolloutPercentage: 0.1 },
      { type: 'rollout_resumed', reason: null, stepIndex: 0 },
      { type: 'deployment_rolled_back', reason: 'plan-aborted' },
      { type: 'rollout_aborted', reason: 'person', rolloutPercentage: 0 },
    ]);
  });

  it('is aborted when it is deleted while it is held, and only then', async () => {
    const remove = () => app.api.delete(`${app.path}/deployments/${id}/rollout-plan`);
    await putPlan(app, id);
    expect((await remove()).status).toBe(204);
    expect(await types()).toEqual([]);
    await putPlan(app, id, {}, 'start', 'hold');
    expect((await remove()).status).toBe(204);
    expect(await events()).toMatchObject([
      { type: 'rollout_step_reached' },
      { type: 'rollout_held' },
      { type: 'rollout_aborted', reason: 'person', stepIndex: 0, rolloutPercentage: 0.1 },
    ]);
  });

  it('says what its health gate has seen', async () => {
    const healthGate = { maxFailureShare: 0.1, minDevices: 3, confidence: 0.8 };
    const steps = [{ percentage: 0.999999, durationMinutes: 60 }, { percentage: 1 }];
    await putPlan(app, id, { healthGate, steps }, 'start');
    for (let device = 0; device < 6; device++) await rollBack(app, randomUUID(), bundleId);
    await passStep(id);
    await eventuallyTypes(['rollout_step_reached', 'rollout_held']);
    expect((await events())[1]).toMatchObject({
      reason: 'health-gate',
      appliedDevices: 6,
      rolledBackDevices: 6,
      userId: null,
    });
  });

  it('is aborted by a newer deployment, and by a change of the share', async () => {
    await putPlan(app, id, {}, 'start');
    await registerBundle(app);
    expect((await events())[1]).toMatchObject({
      type: 'rollout_aborted',
      reason: 'superseded',
      rolloutPercentage: 0.1,
    });
    ({ deploymentId: id } = (await registerBundle(app, { rolloutPercentage: 0 })) as {
      deploymentId: string;
    });
    await putPlan(app, id, {}, 'start');
    await app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage: 0.3 });
    expect((await events())[1]).toMatchObject({ type: 'rollout_aborted', reason: 'share-changed' });
    expect((await types()).slice(2)).toEqual(['deployment_share_changed']);
  });
});
