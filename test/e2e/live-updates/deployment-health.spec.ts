import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle, type TestBundle } from '../../builders/bundle.js';
import { makePending } from '../../builders/deployment.js';
import { createDevice } from '../../builders/device.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { expectError } from '../../support/http/expect-error.js';

let app: TestApp;
let bundle: TestBundle;

beforeEach(async () => {
  app = await createApp();
  bundle = await registerBundle(app);
});

const pathOf = ({ deploymentId }: TestBundle): string => `${app.path}/deployments/${deploymentId}/health`;
const healthOf = async (of = bundle): Promise<unknown> => {
  const { status, body } = await app.api.get(pathOf(of));
  expect(status).toBe(200);
  return body;
};

const NONE = { offered: 0, applied: 0, rolledBack: 0, notApplied: 0, blocked: 0 };

describe('the health of a deployment', () => {
  it('is there from the beginning, without a plan', async () => {
    expect(await healthOf()).toEqual({ ...NONE, failureShare: { lower: 0, upper: 1 } });
  });

  it('counts what devices did with it, and is that of the plan if there is one', async () => {
    await createDevice(app);
    await createDevice(app, { bundleId: bundle.id });
    await rollBack(app, randomUUID(), bundle.id);
    const stuck = await createDevice(app);
    await query(
      testEnvironment().databaseUrl,
      `UPDATE devices SET offered_at = offered_at - interval '25 hours' WHERE app_id = $1 AND id = $2`,
      [app.id, stuck],
    );
    const health = await healthOf();
    expect(health).toMatchObject({ offered: 4, applied: 2, rolledBack: 1, notApplied: 1, blocked: 0 });
    const plan = `${app.path}/deployments/${bundle.deploymentId}/rollout-plan`;
    expect((await app.api.put(plan, { steps: [{ percentage: 1 }] })).status).toBe(200);
    expect((await app.api.get(plan)).body).toMatchObject({ health });
    expect(await healthOf()).toEqual(health);
  });

  it('counts the devices that are not offered it again', async () => {
    const deviceId = randomUUID();
    await rollBack(app, deviceId, bundle.id);
    await rollBack(app, deviceId, bundle.id);
    await createDevice(app, { deviceId });
    expect(await healthOf()).toMatchObject({ offered: 1, applied: 1, rolledBack: 1, blocked: 1 });
  });

  it('moves on with the devices to a newer deployment', async () => {
    const deviceId = await createDevice(app);
    const newer = await registerBundle(app);
    await createDevice(app, { deviceId });
    expect(await healthOf()).toMatchObject(NONE);
    expect(await healthOf(newer)).toMatchObject({ ...NONE, offered: 1 });
  });

  it('is empty while the deployment waits for approval, and not found for none or one of another app', async () => {
    await makePending(app, bundle.deploymentId ?? '', app.tenant.owner.userId);
    expect(await healthOf()).toMatchObject(NONE);
    const other = await createApp(app.tenant);
    for (const path of [
      `${app.path}/deployments/${randomUUID()}/health`,
      `${app.path}/deployments/nonsense/health`,
      `${other.path}/deployments/${bundle.deploymentId}/health`,
    ])
      expectError(await app.api.get(path), 404, 'deployment_not_found');
    const builds = await createToken(app.api, { permissions: ['builds:read'] });
    expectError(await builds.api.get(pathOf(bundle)), 403);
  });
});

describe('a list of deployments', () => {
  interface Listed {
    readonly id: string;
    readonly rolloutPlan?: unknown;
    readonly health?: unknown;
  }
  const list = async (query: string): Promise<Listed[]> =>
    (await app.api.get(`${app.path}/deployments?${query}`)).body as Listed[];

  it('has plans and health of each when it is asked for them, as they are alone', async () => {
    const planned = await registerBundle(app, { rolloutPercentage: 0 });
    await rollBack(app, randomUUID(), bundle.id);
    await putPlan(app, planned.deploymentId ?? '', {}, 'start', 'hold');
    const all = await list('relations=rolloutPlan,health');
    expect(all.map(({ id }) => id)).toEqual([planned.deploymentId, bundle.deploymentId]);
    const plan = await app.api.get(`${app.path}/deployments/${planned.deploymentId}/rollout-plan`);
    expect(all[0]).toMatchObject({ rolloutPlan: plan.body as object, health: await healthOf(planned) });
    expect(all[1]).toMatchObject({ rolloutPlan: null, health: await healthOf() });
    expect(all[1]?.health).toMatchObject({ rolledBack: 1 });
    const one = await app.api.get(`${app.path}/deployments/${bundle.deploymentId}?relations=health`);
    expect(one.body).toMatchObject({ health: all[1]?.health });
    expect(one.body).not.toHaveProperty('rolloutPlan');
  });

  it('has neither otherwise', async () => {
    const [shown] = await list('relations=appBuild');
    expect(shown).not.toHaveProperty('rolloutPlan');
    expect(shown).not.toHaveProperty('health');
    expect(await list(`relations=rolloutPlan,health&appBuildId=${randomUUID()}`)).toEqual([]);
  });
});
