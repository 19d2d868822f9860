import { seededId } from '../../scripts/seed/ids.js';
import { seed } from '../../scripts/seed/seed.js';
import { type Actor, createActor } from '../builders/identities.js';
import { readOpenApiPaths } from '../support/http/openapi-document.js';
import { writeOtherLists } from '../support/resources/list-rows.js';
import { resources } from '../support/resources/resources.js';
import { OwnSite } from '../support/servers/own-site.js';
import { logPlans, type PlanNode, type Statement, statementsOf } from '../support/servers/query-plans.js';

/** Rows from which a table is big: reading or sorting so many for one page is too much. */
const BIG = 900;
const LIMIT = 50;

/** Lists that are computed for each request: what retention would do, from all bundles of the app. */
const COMPUTED = new Set(['/v1/apps/{appId}/bundle-retention/bundles']);

/** Every other route that answers pages. */
const routes = Object.entries(readOpenApiPaths())
  .filter(([path, { get }]) => !COMPUTED.has(path) && get?.parameters?.some(({ name }) => name === 'offset'))
  .map(([path]) => path);

/** The lists that may grow without end: their last pages must come from an index alone. */
const ENDLESS = new Set([
  '/v1/organizations/{organizationId}/audit-events',
  '/v1/organizations/{organizationId}/webhooks/{webhookId}/deliveries',
  '/v1/apps/{appId}/webhooks/{webhookId}/deliveries',
  '/v1/apps/{appId}/builds',
  '/v1/apps/{appId}/bundles',
  '/v1/apps/{appId}/deployments',
  '/v1/apps/{appId}/devices',
  '/v1/jobs',
]);

let site: OwnSite;
let caller: Actor;
let ids: Record<string, string>;
let big: ReadonlySet<string>;

beforeAll(async () => {
  site = await OwnSite.start({}, async (url) => {
    await logPlans(url);
    return url;
  });
  caller = await createActor(site);
  const sizes = { channels: 1500, bundles: 5000, deployments: 10_000, devices: 50_000, forcedDevices: 100 };
  // Another organization beside, as there are in every database.
  const beside = { apps: 1000, channels: 1, bundles: 1, deployments: 1, devices: 5000, members: 2000 };
  await seed(site.databaseUrl, { ...beside, forcedDevices: 0, auditEvents: 0, historyDays: 0 });
  const rows = { ...sizes, apps: 1000, members: 200, auditEvents: 3000, historyDays: 0 };
  const { organizationId, appId } = await seed(site.databaseUrl, rows);
  const others = await writeOtherLists(site, caller, { organizationId, appId }, resources);
  ids = { organizationId, appId, deploymentId: seededId(appId, 'deployment', 1), ...others };
  const tables = await site.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND reltuples >= ${BIG}`,
  );
  big = new Set(tables.map(({ name }) => name));
});
afterAll(() => site.dispose());

const isOfRequest = ({ sql }: Statement): boolean => !/\bqueue\./.test(sql);

/** A filter without which a list is put together from those of several organizations. */
const filters: Readonly<Record<string, string>> = {
  '/v1/apps': 'organizationId',
  '/v1/jobs': 'organizationId',
};

function pathOf(route: string): string {
  // Apps and organizations have webhooks.
  const { appWebhookId = '' } = ids;
  const own: typeof ids = route.startsWith('/v1/apps/') ? { ...ids, webhookId: appWebhookId } : ids;
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => own[name] ?? `no-${name}`);
  const filter = filters[route];
  return `${path}${path.includes('?') ? '&' : '?'}${filter === undefined ? '' : `${filter}=${ids[filter]}`}`;
}

/** What a page takes. @param position where it begins, counted from the end when it is negative */
async function pageOf(route: string, position: number): Promise<{ statements: Statement[]; total: number }> {
  const path = pathOf(route);
  let total = await totalOf(path);
  const offset = position < 0 ? Math.max(0, total + position) : position;
  const statements = await statementsOf(site.databaseUrl, async () => {
    const response = await caller.api.get(`${path}&limit=${LIMIT}&offset=${offset}`);
    expect(response.status).toBe(200);
    expect((response.body as unknown[]).length).toBe(Math.min(LIMIT, total - offset));
    total = Number(response.headers['x-total-count']);
  });
  return { statements: statements.filter(isOfRequest), total };
}

async function totalOf(path: string): Promise<number> {
  const { headers, status } = await caller.api.get(`${path}&limit=1`);
  expect(status).toBe(200);
  return Number(headers['x-total-count']);
}

/** What is wrong with a plan: for the message of the failure. */
function faults(
  { sql, nodes }: Statement,
  isWrong: (node: PlanNode) => boolean,
): { sql: string; node: string; rows: number }[] {
  return nodes.filter(isWrong).map((node) => ({
    sql,
    node: `${node['Node Type']} ${node['Relation Name'] ?? ''}`,
    rows: rowsOf(node),
  }));
}

const rowsOf = (node: PlanNode): number => node['Actual Rows'] * node['Actual Loops'];
const isOfBig = (node: PlanNode): boolean => big.has(node['Relation Name'] ?? '');
const readsAll = (node: PlanNode): boolean => node['Node Type'] === 'Seq Scan' && isOfBig(node);
const sortsMany = (node: PlanNode): boolean =>
  node['Node Type'].endsWith('Sort') && (node.Plans ?? []).some((input) => rowsOf(input) >= BIG);

/** Rows of big tables that are read for a node, whatever the index is that leads to them. */
function readsTable(node: PlanNode): boolean {
  if (!isOfBig(node)) return false;
  return (node['Heap Fetches'] ?? rowsOf(node)) >= BIG;
}

it.each(routes)('%s: the first page is read and ordered by indexes', async (route) => {
  const { statements, total } = await pageOf(route, 0);
  expect(total).toBeGreaterThan(0);
  expect(statements).not.toEqual([]);
  expect(
    statements.flatMap((statement) => faults(statement, (node) => readsAll(node) || sortsMany(node))),
  ).toEqual([]);
});

// The list of jobs also reads which apps the caller may see.
it.each(routes.filter((route) => ENDLESS.has(route) && route !== '/v1/jobs'))(
  '%s: the last page and the number of rows are read from an index alone',
  async (route) => {
    const { statements, total } = await pageOf(route, -LIMIT);
    expect(total).toBeGreaterThanOrEqual(3000);
    expect(
      statements.flatMap((statement) => faults(statement, (node) => readsTable(node) || sortsMany(node))),
    ).toEqual([]);
  },
);

it.each(['platform=1', 'appVersionName=1.3', 'appVersionCode=3&platform=1', 'lastSeenTo=2100-01-01'])(
  'devices with %s: the last page and the number of rows are read from an index alone',
  async (filter) => {
    const route = `/v1/apps/{appId}/devices?${filter}`;
    const { statements, total } = await pageOf(route, -LIMIT);
    expect(total).toBeGreaterThanOrEqual(2500);
    expect(
      statements.flatMap((statement) => faults(statement, (node) => readsTable(node) || sortsMany(node))),
    ).toEqual([]);
  },
);

it.each(['', '&platform=1', '&appVersionCode=3&platform=1', '&lastSeenTo=2100-01-01', '&query=a'])(
  'devices by a cursor, with the filter "%s": pages near and far begin where they are in an index, and nothing is counted',
  async (filter) => {
    let next: string | undefined = `${pathOf('/v1/apps/{appId}/devices')}cursor=first&limit=100${filter}`;
    for (let page = 0; page < 20; page++) {
      const path: string = next ?? '';
      const statements = await statementsOf(site.databaseUrl, async () => {
        const { status, headers } = await caller.api.get(path);
        expect(status).toBe(200);
        next = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1];
      });
      if (page % 6 !== 1 && page !== 0) continue;
      const own = statements.filter(({ sql }) => /FROM "devices"/.test(sql));
      expect(own).toHaveLength(1);
      const reads = own[0]!.nodes.filter((node) => node['Relation Name'] === 'devices');
      expect(reads.map((node) => node['Index Name'])).toEqual(['devices_list_idx']);
      expect(reads[0]!['Index Cond']).toContain('app_id');
      if (page > 0) expect(reads[0]!['Index Cond']).toContain('ROW(last_seen_at, id) < ROW(');
      expect(rowsOf(reads[0]!)).toBeLessThanOrEqual(101);
      expect(own.flatMap((statement) => faults(statement, sortsMany))).toEqual([]);
    }
  },
);

it.each([...ENDLESS])('%s: pages near and far are parts of one order', async (route) => {
  const page = async (offset: number): Promise<{ id: string }[]> =>
    (await caller.api.get(`${pathOf(route)}&limit=${LIMIT}&offset=${offset}`)).body as { id: string }[];
  const [near, far] = [await page(980), await page(1000)];
  expect(far.slice(0, 30)).toEqual(near.slice(20));
  expect(new Set([...near, ...far].map(({ id }) => id)).size).toBe(70);
});

it('devices: those of one custom id are counted from an index, also where all others have the same one', async () => {
  const { appId = '' } = ids;
  await site.query(
    `UPDATE devices SET custom_id = CASE id WHEN (
       SELECT id FROM devices WHERE app_id = $1 ORDER BY last_seen_at DESC LIMIT 1) THEN 'Ada' ELSE 'guest' END`,
    [appId],
  );
  await site.query('ANALYZE devices');
  const { statements } = await pageOf('/v1/apps/{appId}/devices', 0);
  const counts = statements.filter(({ sql }) => sql.includes('named.is_hashed'));
  expect(counts).toHaveLength(1);
  const reads = counts[0]!.nodes.filter((node) => node['Relation Name'] === 'devices');
  expect(new Set(reads.map((node) => node['Index Name']))).toEqual(new Set(['devices_app_id_custom_id_idx']));
  // One, and a hundred.
  expect(reads.reduce((sum, node) => sum + rowsOf(node), 0)).toBe(101);
});
