import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import type { Api } from '../../support/http/api.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { logPlans, statementsOf } from '../../support/servers/query-plans.js';

/* Responses about many objects take as many statements as those about one. */

let site: OwnSite;
let tenant: Tenant;
beforeAll(async () => {
  site = await OwnSite.start({}, async (url) => {
    await logPlans(url);
    return url;
  });
});
beforeEach(async () => {
  tenant = await createTenant(site);
});
afterAll(() => site.dispose());

async function read<T>(api: Api, path: string): Promise<T> {
  const { status, body } = await api.get(path);
  expect(status).toBe(200);
  return body as T;
}

/** The statements of a request on some tables, without those of counts and of the dispatcher in the background. */
async function statementsFor(api: Api, path: string): Promise<string[]> {
  const all = await statementsOf(site.databaseUrl, () => read(api, path));
  return all
    .map(({ sql }) => sql)
    .filter((sql) => /\b(apps|channels|members)\b/.test(sql) && !/seen_days|SKIP LOCKED/.test(sql));
}

describe('GET /v1/users/me/access', () => {
  const PATH = '/v1/users/me/access';

  interface Access {
    readonly organizations: readonly {
      readonly name: string;
      readonly apps: readonly { readonly name: string }[];
      readonly totalApps: number;
    }[];
    readonly totalOrganizations: number;
  }

  it('cuts many organizations and apps, counts them, and reads them as a few', async () => {
    const { organizationId, owner } = tenant;
    await createApp(tenant, { name: 'App 0000' });
    await read(owner.api, PATH);
    const few = await statementsFor(owner.api, PATH);
    expect(few).toHaveLength(2);
    await site.query(
      `INSERT INTO apps (id, organization_id, name, type)
       SELECT gen_random_uuid(), $1, 'App ' || lpad(number::text, 4, '0'), 'capacitor'
         FROM generate_series(1, 249) AS number`,
      [organizationId],
    );
    await site.query(
      `WITH organization AS (
         INSERT INTO organizations (id, name, slug)
         SELECT gen_random_uuid(), 'Other ' || number, 'other-' || number FROM generate_series(1, 120) AS number
         RETURNING id
       )
       INSERT INTO members (id, organization_id, user_id, role)
       SELECT gen_random_uuid(), id, $1, 'viewer' FROM organization`,
      [owner.userId],
    );
    await site.query('UPDATE organizations SET name = $2 WHERE id = $1', [organizationId, 'A']);
    expect(await statementsFor(owner.api, PATH)).toEqual(few);
    const { organizations, totalOrganizations } = await read<Access>(owner.api, PATH);
    expect([organizations.length, totalOrganizations]).toEqual([100, 121]);
    const [first] = organizations;
    expect(first).toMatchObject({ name: 'A', totalApps: 250 });
    expect(first?.apps.map(({ name }) => name)).toEqual(
      Array.from({ length: 100 }, (_, index) => `App ${String(index).padStart(4, '0')}`),
    );
    const rest = await read(owner.api, `/v1/apps?organizationId=${organizationId}&offset=100&limit=1`);
    expect(rest).toMatchObject([{ name: 'App 0100' }]);
  });
});

describe('GET …/app-summaries', () => {
  const pathOf = (apps: readonly TestApp[]): string =>
    `/v1/organizations/${tenant.organizationId}/app-summaries?ids=${apps.map(({ id }) => id).join(',')}`;

  it('takes as many statements for many apps as for one, and fewer while nothing changes', async () => {
    const apps: TestApp[] = [];
    for (let number = 0; number < 30; number++) apps.push(await createApp(tenant));
    const [one] = apps as [TestApp];
    const { api } = one;
    // All are counted before, in the background.
    await eventually(async () => {
      const counted = await read<{ countedAt: string | null }[]>(api, pathOf(apps));
      expect(counted.every(({ countedAt }) => countedAt !== null)).toBe(true);
    });
    await read(api, pathOf(apps));
    // Who calls, twice: for the first permission and for the others; and which apps they see.
    const kept = await statementsFor(api, pathOf(apps));
    expect(kept).toHaveLength(3);
    for (const app of apps) await app.api.post(`${app.path}/channels/${app.defaultChannelId}/pause`);
    const loaded = await statementsFor(api, pathOf(apps));
    await api.post(`${one.path}/channels/${one.defaultChannelId}/resume`);
    expect(await statementsFor(api, pathOf([one]))).toEqual(loaded);
    // What it has loaded: apps and channels; submissions and days are of other tables.
    expect(loaded).toHaveLength(kept.length + 2);
  });
});

describe('GET …/inbox', () => {
  it('takes as many statements for many apps as for one', async () => {
    const path = `/v1/organizations/${tenant.organizationId}/inbox`;
    const { api } = await createApp(tenant);
    await read(api, path);
    const one = await statementsFor(api, path);
    // Who calls, twice: for the permission and for what it grants; and what waits.
    expect(one).toHaveLength(3);
    for (let number = 0; number < 30; number++) {
      const app = await createApp(tenant);
      await site.query(
        `INSERT INTO webhooks (id, organization_id, app_id, name, sealed_url, host, format, events, enabled, disabled_reason)
         SELECT gen_random_uuid(), $1, $2, 'Webhook ' || number, 'v1.x', 'example.com', 'raw', '{*}', false, 'failing'
           FROM generate_series(1, 2) AS number`,
        [tenant.organizationId, app.id],
      );
    }
    expect(await statementsFor(api, path)).toEqual(one);
    const { entries } = await read<{ entries: readonly object[] }>(api, path);
    expect(entries).toHaveLength(60);
  });
});
