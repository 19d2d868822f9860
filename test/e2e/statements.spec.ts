import { v7 as uuid } from 'uuid';
import { createApp } from '../builders/app.js';
import { registerBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { putPlan } from '../builders/rollout-plan.js';
import { readEvents } from '../support/events/feed.js';
import { OwnSite } from '../support/servers/own-site.js';
import { logPlans, statementsOf } from '../support/servers/query-plans.js';

let own: OwnSite;

beforeAll(async () => {
  own = await OwnSite.start({}, async (url) => {
    await logPlans(url);
    return url;
  });
});
afterAll(() => own.dispose());

it('finds the events of an object, and the newest ones, by an index', async () => {
  const { organizationId, owner } = await createTenant(own);
  const objectId = uuid();
  await own.query(
    `INSERT INTO events (id, position, organization_id, type, object_id, data)
       SELECT gen_random_uuid(), 1000 + n, $1, 'runner_lost', CASE WHEN n % 1000 = 7 THEN $2 ELSE gen_random_uuid() END, '{}'
         FROM generate_series(1, 20000) AS n`,
    [organizationId, objectId],
  );
  await own.query('UPDATE event_positions SET position = 21000 WHERE organization_id = $1', [organizationId]);
  await own.query('ANALYZE events');
  const indexesOf = async (query: Record<string, string>): Promise<unknown[]> => {
    const statements = await statementsOf(own.databaseUrl, async () => {
      expect((await readEvents(owner.api, organizationId, query)).events.length).toBeGreaterThan(0);
    });
    const nodes = statements.flatMap((statement) => statement.nodes);
    return nodes.filter((node) => node['Relation Name'] === 'events').map((node) => node['Index Name']);
  };
  const byObject = ['events_organization_id_object_id_position_idx'];
  expect(await indexesOf({ order: 'newest', objectId })).toEqual(byObject);
  expect(await indexesOf({ objectId })).toEqual(byObject);
  expect(await indexesOf({ order: 'newest' })).toEqual(['events_organization_id_position_key']);
});

it('lists deployments with plans and health with as many statements for many as for one', async () => {
  const there = await createApp(await createTenant(own));
  const count = async (expected: number): Promise<number> => {
    const statements = await statementsOf(own.databaseUrl, async () => {
      const response = await there.api.get(`${there.path}/deployments?relations=rolloutPlan,health`);
      expect(response.body).toHaveLength(expected);
    });
    return statements.filter(({ sql }) => /rollout_plans AS plan|AS watched/.test(sql)).length;
  };
  const add = async (): Promise<void> => {
    const { deploymentId } = await registerBundle(there);
    await putPlan(there, deploymentId ?? '');
  };
  await add();
  // The plans, their health, and that of the deployments.
  expect(await count(1)).toBe(3);
  for (let n = 0; n < 5; n++) await add();
  expect(await count(6)).toBe(3);
});

it('lists builds with who started them and where they went with as many statements for many as for one', async () => {
  const there = await createApp(await createTenant(own));
  const count = async (expected: number): Promise<number> => {
    const relations = 'job,starter,appDeployments,missingRunner';
    const statements = await statementsOf(own.databaseUrl, async () => {
      const response = await there.api.get(`${there.path}/builds?relations=${relations}`);
      expect(response.body).toHaveLength(expected);
    });
    // Others run in the background, because of the bundles.
    return statements.filter(({ sql }) => /AS latest|"users" "User" WHERE .*\bIN\b/s.test(sql)).length;
  };
  const add = async (): Promise<void> => {
    await registerBundle(there);
    await own.query('UPDATE builds SET created_by = $1 WHERE app_id = $2', [
      there.tenant.owner.userId,
      there.id,
    ]);
  };
  await add();
  await count(1);
  const before = await count(1);
  expect(before).toBeGreaterThan(0);
  for (let n = 0; n < 5; n++) await add();
  expect(await count(6)).toBe(before);
});
