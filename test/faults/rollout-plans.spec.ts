import { createApp, type TestApp } from '../builders/app.js';
import { registerBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { passStep, putPlan, type TestPlan } from '../builders/rollout-plan.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { OwnSite } from '../support/servers/own-site.js';

let site: OwnSite;
let app: TestApp;
let id: string;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  await site.clear();
  app = await createApp(await createTenant(site));
  id = (await registerBundle(app, { rolloutPercentage: 0 })).deploymentId ?? '';
  await putPlan(app, id, {}, 'start');
});
afterAll(() => site.dispose());

const plan = async (origin = site.origin): Promise<TestPlan> =>
  (await new Api(origin, app.api.token).get(`${app.path}/deployments/${id}/rollout-plan`)).body as TestPlan;

/** The shares that the deployment has had, by the audit log. */
const shares = async (): Promise<unknown[]> =>
  (
    await site.query<{ share: unknown }>(
      `SELECT after -> 'rolloutPercentage' AS share FROM audit_events
        WHERE object_id = $1 AND after ? 'rolloutPercentage' ORDER BY sequence`,
      [id],
    )
  ).map(({ share }) => share);

it('goes on after the server was killed, one step however late', async () => {
  await site.kill();
  await passStep(id, site);
  await site.restart();
  await eventually(async () => expect(await plan()).toMatchObject({ state: 'running', stepIndex: 1 }));
  expect(await shares()).toEqual([0, 0.1, 0.5]);
  expect(Date.parse((await plan()).stepEndsAt ?? '')).toBeGreaterThan(Date.now());
});

it('takes each step once with several servers and jobs that come many times', async () => {
  const other = await OwnSite.beside(site);
  try {
    for (const [stepIndex, state] of [
      [1, 'running'],
      [2, 'completed'],
    ] as const) {
      await site.query(
        `INSERT INTO queue.job (name, data)
         SELECT name, data FROM queue.job CROSS JOIN generate_series(1, 4)
          WHERE name = 'rollout-plans' AND state = 'created'`,
      );
      await passStep(id, site);
      await eventually(async () => expect(await plan()).toMatchObject({ stepIndex, state }));
      await eventually(async () => {
        const due = await site.query(
          `SELECT id FROM queue.job
            WHERE name = 'rollout-plans' AND state IN ('created', 'active', 'retry') AND start_after <= now()`,
        );
        expect(due).toEqual([]);
      });
      const failed = `SELECT id FROM queue.job WHERE name = 'rollout-plans' AND state IN ('failed', 'retry')`;
      expect(await site.query(failed)).toEqual([]);
    }
  } finally {
    await other.kill();
  }
  expect(await shares()).toEqual([0, 0.1, 0.5, 1]);
});

it('is held by a person for good, though its job comes', async () => {
  await app.api.post(`${app.path}/deployments/${id}/rollout-plan/hold`);
  await site.query(`UPDATE queue.job SET start_after = now() WHERE name = 'rollout-plans'`);
  await eventually(async () => {
    const left = await site.query(
      `SELECT id FROM queue.job WHERE name = 'rollout-plans' AND state <> 'completed'`,
    );
    expect(left).toEqual([]);
  });
  expect(await plan()).toMatchObject({ state: 'held', stepIndex: 0 });
  expect(await shares()).toEqual([0, 0.1]);
});
