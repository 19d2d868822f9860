import { hash, randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment, makePending } from '../../builders/deployment.js';
import { checkForUpdate } from '../../builders/device.js';
import { lookNow, passStep, putPlan, type TestPlan } from '../../builders/rollout-plan.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { AndroidDevice } from '../../support/devices/android.js';
import { IosDevice } from '../../support/devices/ios.js';
import { eventually } from '../../support/eventually.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

interface Health {
  readonly offered: number;
  readonly applied: number;
  readonly rolledBack: number;
  readonly notApplied: number;
}

let app: TestApp;
let old: TestBundle;
let current: TestBundle;
/** Of the newer bundle, to no one yet. */
let id: string;
let path: string;

beforeEach(async () => {
  app = await createApp();
  old = await registerBundle(app);
  current = await registerBundle(app, { rolloutPercentage: 0 });
  id = current.deploymentId ?? '';
  path = `${app.path}/deployments/${id}/rollout-plan`;
});

const get = async (): Promise<TestPlan & { health: Health; evidence: Health | null }> =>
  (await app.api.get(path)).body as TestPlan & { health: Health; evidence: Health | null };
const act = (action: string) => app.api.post(`${path}/${action}`);
const share = async (): Promise<number> =>
  ((await app.api.get(`${app.path}/deployments/${id}`)).body as { rolloutPercentage: number })
    .rolloutPercentage;

/** As docs/live-updates.md says. */
const bucketOf = (deviceId: string): number =>
  Number.parseInt(hash('sha256', `${id}:${deviceId}`).slice(0, 8), 16) / 2 ** 32;

async function offered(device: AndroidDevice | IosDevice): Promise<string> {
  const { status, body } = await device.check();
  expect(status).toBe(200);
  return (JSON.parse(body.toString()) as { bundleId: string }).bundleId;
}

/** A check of a device that runs some bundle. */
const seen = async (deviceId: string, bundleId = '', values: object = {}): Promise<void> => {
  expect((await checkForUpdate(app, { deviceId, bundleId, ...values })).status).toBe(200);
};

describe('a plan', () => {
  it('is put, replaced, read and deleted', async () => {
    expectError(await app.api.get(path), 404, 'rollout_plan_not_found');
    const steps = [{ percentage: 0.01, durationMinutes: 60 }, { percentage: 1 }];
    const healthGate = { maxFailureShare: 0.02, minDevices: 100 };
    const { status, body } = await app.api.put(path, { steps, healthGate });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      appDeploymentId: id,
      steps: [
        { percentage: 0.01, durationMinutes: 60 },
        { percentage: 1, durationMinutes: null },
      ],
      healthGate: { ...healthGate, confidence: 0.95 },
      state: 'draft',
      reason: null,
      stepIndex: null,
      stepEndsAt: null,
      health: { offered: 0, applied: 0, rolledBack: 0, notApplied: 0, failureShare: { lower: 0, upper: 1 } },
      evidence: null,
    });
    expect((await app.api.get(path)).body).toEqual(body);
    const replaced = await app.api.put(path, { steps: [{ percentage: 0.5 }], healthGate: null });
    expect(replaced.body).toMatchObject({ id: (body as TestPlan).id, healthGate: null, state: 'draft' });
    expect(await share()).toBe(0);
    expect((await app.api.delete(path)).status).toBe(204);
    expectError(await app.api.get(path), 404, 'rollout_plan_not_found');
    expectError(await app.api.delete(path), 404, 'rollout_plan_not_found');
    expectError(await act('start'), 404, 'rollout_plan_not_found');
  });

  it('belongs to a deployment of the app', async () => {
    const other = await createApp(app.tenant);
    for (const deployment of [id, randomUUID(), 'x']) {
      const wrong = `${other.path}/deployments/${deployment}/rollout-plan`;
      expectError(await app.api.put(wrong, { steps: [{ percentage: 1 }] }), 404, 'deployment_not_found');
      expectError(await app.api.get(wrong), 404, 'deployment_not_found');
      expectError(await app.api.post(`${wrong}/start`), 404, 'deployment_not_found');
    }
  });

  const last = { percentage: 1 };
  it.each([
    [{}, ['steps']],
    [{ steps: [] }, ['steps']],
    [{ steps: 'all' }, ['steps']],
    [
      { steps: Array.from({ length: 100 }, (_, i) => ({ percentage: (i + 1) / 100, durationMinutes: 1 })) },
      ['steps'],
    ],
    [{ steps: [{ percentage: 1.5 }] }, ['steps.0.percentage']],
    [{ steps: [{ percentage: -0.1 }] }, ['steps.0.percentage']],
    [{ steps: [{ percentage: '0.5' }] }, ['steps.0.percentage']],
    [{ steps: [{ percentage: null }] }, ['steps.0.percentage']],
    [{ steps: [{ percentage: 0 }] }, ['steps.0.percentage']],
    [{ steps: [{ percentage: 0.5, durationMinutes: 10 }, { percentage: 0.5 }] }, ['steps.1.percentage']],
    [{ steps: [{ percentage: 0.5 }, last] }, ['steps.0.durationMinutes']],
    [{ steps: [{ percentage: 0.5, durationMinutes: 10 }] }, ['steps.0.durationMinutes']],
    [{ steps: [{ percentage: 0.5, durationMinutes: 0 }, last] }, ['steps.0.durationMinutes']],
    [{ steps: [{ percentage: 0.5, durationMinutes: -5 }, last] }, ['steps.0.durationMinutes']],
    [{ steps: [{ percentage: 0.5, durationMinutes: 1e12 }, last] }, ['steps.0.durationMinutes']],
    [{ steps: [{ percentage: 0.5, durationMinutes: 1.5 }, last] }, ['steps.0.durationMinutes']],
    [{ steps: [last], healthGate: 'strict' }, ['healthGate']],
    [{ steps: [last], healthGate: {} }, ['healthGate.maxFailureShare', 'healthGate.minDevices']],
    [
      { steps: [last], healthGate: { maxFailureShare: 2, minDevices: 0, confidence: 0.42 } },
      ['healthGate.maxFailureShare', 'healthGate.minDevices', 'healthGate.confidence'],
    ],
  ])('is not %j', async (body, fields) => {
    expectInvalid(await app.api.put(path, body), ...fields);
    expectError(await app.api.get(path), 404, 'rollout_plan_not_found');
  });

  it('has no steps that are not objects, nor NaN', async () => {
    for (const steps of ['[1]', '[null]', '[[]]', '[[{"percentage":1}]]']) {
      const request = app.api.request('put', path).set('Content-Type', 'application/json');
      expectError(await request.send(`{"steps":${steps}}`), 400, 'invalid_fields');
    }
    const request = app.api.request('put', path).set('Content-Type', 'application/json');
    expectError(await request.send('{"steps":[{"percentage":NaN}]}'), 400, 'malformed_json');
  });

  it('allows what its state allows', async () => {
    await putPlan(app, id);
    for (const action of ['hold', 'resume', 'abort'])
      expectError(await act(action), 409, 'rollout_plan_state');
    expect((await act('start')).body).toMatchObject({ state: 'running', stepIndex: 0 });
    expect(await share()).toBe(0.1);
    for (const action of ['start', 'resume']) expectError(await act(action), 409, 'rollout_plan_state');
    expectError(await app.api.put(path, { steps: [{ percentage: 1 }] }), 409, 'rollout_plan_state');
    expectError(await app.api.delete(path), 409, 'rollout_plan_state');
    expect((await act('hold')).body).toMatchObject({ state: 'held', reason: 'person', stepEndsAt: null });
    expect(await share()).toBe(0.1);
    expectError(await app.api.put(path, { steps: [{ percentage: 1 }] }), 409, 'rollout_plan_state');
    expect((await act('resume')).body).toMatchObject({ state: 'running', reason: null, stepIndex: 0 });
    expect((await act('abort')).body).toMatchObject({ state: 'aborted', reason: 'person' });
    expect(await share()).toBe(0);
    expect((await app.api.put(path, { steps: [{ percentage: 1 }] })).body).toMatchObject({ state: 'draft' });
    expect((await act('start')).body).toMatchObject({ state: 'completed', stepIndex: 0 });
    expect(await share()).toBe(1);
  });

  it('is started once, however many ask at once', async () => {
    await putPlan(app, id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => act('start')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
  });

  it('starts only for what the channel delivers first', async () => {
    await putPlan(app, id);
    await makePending(app, id, app.tenant.owner.userId);
    expectError(await act('start'), 409, 'deployment_not_live');
    await query(
      testEnvironment().databaseUrl,
      `UPDATE deployments SET approval_status = 'approved' WHERE id = $1`,
      [id],
    );
    await createDeployment(app, { appBuildId: old.buildId });
    expectError(await act('start'), 409, 'deployment_superseded');
  });

  it('brings the bundle to more devices with each step, and takes it from none', async () => {
    const devices = Array.from({ length: 40 }, (_, index) =>
      index % 2 ? new AndroidDevice({ appId: app.id }) : new IosDevice({ appId: app.id }),
    );
    const expectShare = async (limit: number): Promise<void> => {
      for (const device of devices) {
        const isIn = bucketOf(device.deviceId) < limit;
        expect(await offered(device)).toBe(isIn ? current.id : old.id);
      }
    };
    await putPlan(app, id);
    await expectShare(0);
    await act('start');
    await expectShare(0.1);
    await passStep(id);
    await eventually(async () => expect(await get()).toMatchObject({ state: 'running', stepIndex: 1 }));
    await expectShare(0.5);
    await passStep(id);
    await eventually(async () => expect(await get()).toMatchObject({ state: 'completed', stepIndex: 2 }));
    await expectShare(1);
  });

  it('takes one step when it is late, and the time of the next one counts from then', async () => {
    await putPlan(app, id, {}, 'start');
    await query(
      testEnvironment().databaseUrl,
      `UPDATE rollout_plans SET step_ends_at = now() - interval '30 days', next_check_at = now() - interval '30 days'
        WHERE deployment_id = $1`,
      [id],
    );
    await query(
      testEnvironment().databaseUrl,
      `UPDATE queue.job SET start_after = now() - interval '1 day' WHERE name = 'rollout-plans'
          AND data ->> 'planId' = (SELECT id::text FROM rollout_plans WHERE deployment_id = $1)`,
      [id],
    );
    const plan = await eventually(async () => {
      const shown = await get();
      expect(shown).toMatchObject({ stepIndex: 1 });
      return shown;
    });
    const minutes = (Date.parse(plan.stepEndsAt ?? '') - Date.parse(plan.stepStartedAt ?? '')) / 60_000;
    expect(minutes).toBe(60);
    expect(Date.parse(plan.stepEndsAt ?? '')).toBeGreaterThan(Date.now());
    expect(await share()).toBe(0.5);
  });

  it('ends when a user changes the share, which stays as that person wants it', async () => {
    await putPlan(app, id, {}, 'start');
    const deployment = `${app.path}/deployments/${id}`;
    await app.api.patch(deployment, { rolloutPercentage: 0.1 });
    expect(await get()).toMatchObject({ state: 'running' });
    await app.api.patch(deployment, { rolloutPercentage: 0.3 });
    expect(await get()).toMatchObject({ state: 'aborted', reason: 'share-changed', stepEndsAt: null });
    expect(await share()).toBe(0.3);
  });

  it('ends when the channel gets a newer deployment, and with no other', async () => {
    await putPlan(app, id, {}, 'start', 'hold', 'resume');
    const channel = await createChannel(app);
    await createDeployment(app, { appBuildId: old.buildId, appChannelId: channel.id });
    expect(await get()).toMatchObject({ state: 'running' });
    await createDeployment(app, { appBuildId: old.buildId });
    expect(await get()).toMatchObject({ state: 'aborted', reason: 'superseded' });
    expect(await share()).toBe(0.1);
  });

  it('is in the audit log, with its steps', async () => {
    await putPlan(app, id, {}, 'start', 'abort');
    const { organizationId } = app.tenant;
    const { body } = await app.api.get(
      `/v1/organizations/${organizationId}/audit-events?objectType=rollout-plan&appId=${app.id}`,
    );
    expect(body).toMatchObject([
      { after: { state: 'aborted', reason: 'person' }, operation: 'RolloutPlans_abort' },
      { after: { state: 'running', stepIndex: 0 } },
      { action: 'created', after: { state: 'draft', appDeploymentId: id } },
    ]);
  });
});

describe('what devices show', () => {
  const gate = { healthGate: { maxFailureShare: 0.1, minDevices: 10, confidence: 0.95 } };

  beforeEach(() => app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage: 1 }));

  const health = async (): Promise<Health> => (await get()).health;

  it('is a rollback only when a device that ran the bundle runs another one later', async () => {
    await putPlan(app, id);
    const device = new AndroidDevice({ appId: app.id });
    device.bundleId = old.id;
    await device.check();
    await device.check();
    expect(await health()).toMatchObject({ offered: 1, applied: 0, rolledBack: 0, notApplied: 0 });
    device.bundleId = current.id;
    await device.check();
    expect(await health()).toMatchObject({ offered: 1, applied: 1, rolledBack: 0 });
    device.bundleId = null;
    await device.check();
    expect(await health()).toMatchObject({ offered: 1, applied: 1, rolledBack: 1 });
    // It tries again: the failure has happened all the same, and once.
    device.bundleId = current.id;
    await device.check();
    device.bundleId = old.id;
    await device.check();
    expect(await health()).toMatchObject({ offered: 1, applied: 1, rolledBack: 1 });
  });

  it('is no rollback when the app was updated from the store, or another deployment is offered', async () => {
    await putPlan(app, id);
    const [updated, moved] = [randomUUID(), randomUUID()];
    const channel = await createChannel(app);
    await createDeployment(app, { appBuildId: old.buildId, appChannelId: channel.id });
    await seen(updated, current.id, { appVersionCode: '10' });
    await seen(updated, '', { appVersionCode: '11' });
    await seen(moved, current.id);
    await seen(moved, current.id, { channelName: channel.name });
    await seen(moved, old.id);
    expect(await health()).toMatchObject({ offered: 2, applied: 0, rolledBack: 0 });
  });

  it('is not applied when a device asks a day later and has never run the bundle', async () => {
    await putPlan(app, id);
    const [waiting, offline] = [randomUUID(), randomUUID()];
    for (const device of [waiting, offline]) await seen(device, old.id);
    expect(await health()).toMatchObject({ offered: 2 });
    await query(
      testEnvironment().databaseUrl,
      `UPDATE devices SET offered_at = now() - interval '25 hours', last_seen_at = now() - interval '25 hours'
        WHERE app_id = $1`,
      [app.id],
    );
    await seen(waiting, old.id);
    expect(await health()).toMatchObject({ offered: 2, applied: 0, rolledBack: 0, notApplied: 1 });
  });

  it('takes whatever devices send as their bundle', async () => {
    await putPlan(app, id);
    const device = randomUUID();
    for (const bundleId of ["'; --", current.id.toUpperCase(), 'null', 'ä'.repeat(80)])
      await seen(device, bundleId);
    expect(await health()).toMatchObject({ offered: 1, applied: 1, rolledBack: 1 });
  });

  it('holds the plan when too many go back, and not before', async () => {
    const steps = [{ percentage: 0.999, durationMinutes: 600 }, { percentage: 1 }];
    await putPlan(app, id, { steps, ...gate }, 'start');
    // Inside of the share, whatever the ids.
    const devices = Array.from({ length: 400 }, () => randomUUID())
      .filter((device) => bucketOf(device) < 0.999)
      .slice(0, 20);
    for (const device of devices) await seen(device, current.id);
    for (const device of devices.slice(0, 3)) await seen(device);
    await lookNow(id);
    await eventually(async () => {
      const [row] = await query<{ later: boolean }>(
        testEnvironment().databaseUrl,
        `SELECT next_check_at > now() + interval '5 minutes' AS later FROM rollout_plans WHERE deployment_id = $1`,
        [id],
      );
      expect(row?.later).toBe(true);
    });
    // 3 of 20 are more than a tenth, but may be chance.
    expect(await get()).toMatchObject({ state: 'running', health: { applied: 20, rolledBack: 3 } });
    for (const device of devices.slice(3, 8)) await seen(device);
    await lookNow(id);
    await eventually(async () => expect(await get()).toMatchObject({ state: 'held', reason: 'health-gate' }));
    expect(await get()).toMatchObject({
      evidence: { offered: 20, applied: 20, rolledBack: 8 },
      stepIndex: 0,
    });
    expect(await share()).toBe(0.999);
    // A person has looked at it: those eight do not hold it again.
    expect((await act('resume')).body).toMatchObject({
      state: 'running',
      health: { applied: 12, rolledBack: 0 },
      evidence: null,
    });
  });
});
