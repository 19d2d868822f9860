import { v7 as uuid } from 'uuid';
import { createActor, createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { recordedEvents } from '../../support/events/recorded-events.js';
import { Api } from '../../support/http/api.js';
import { type OidcSite, startOidcSite, userIdOf } from '../../support/oidc/site.js';
import type { ProviderUser } from '../../support/oidc/test-provider.js';

let site: OidcSite;
let shop: Tenant;
let lab: Tenant;
let orphan: Tenant;
let user: ProviderUser;
beforeAll(async () => {
  [shop, lab, orphan] = await Promise.all([createTenant(), createTenant(), createTenant()]);
  const roleIn = ({ organizationId }: Tenant, group: string, role: string): object => ({
    group,
    organizationId,
    role,
  });
  site = await startOidcSite({
    OIDC_GROUP_ROLES: JSON.stringify([
      roleIn(shop, 'staff', 'viewer'),
      roleIn(shop, 'developers', 'member'),
      roleIn(shop, 'leads', 'owner'),
      roleIn(lab, 'researchers', 'admin'),
      roleIn(orphan, 'heirs', 'owner'),
      { group: 'staff', organizationId: uuid(), role: 'viewer' },
    ]),
  });
});
afterAll(() => site.stop());
beforeEach(() => {
  user = site.provider.createUser();
});

/** Signs the user in as a member of these groups. @returns its roles, by organization */
async function rolesAs(groups: unknown): Promise<Record<string, string>> {
  site.provider.user = user;
  user.claims['groups'] = groups;
  expect((await site.newVisitor().signIn()).html).toContain(user.email);
  const rows = await query<{ organization_id: string; role: string }>(
    testEnvironment().databaseUrl,
    'SELECT organization_id, role FROM members WHERE user_id = $1',
    [await userIdOf(site.provider, user.sub)],
  );
  const names = new Map([
    [shop.organizationId, 'shop'],
    [lab.organizationId, 'lab'],
    [orphan.organizationId, 'orphan'],
  ]);
  return Object.fromEntries(rows.map(({ organization_id: id, role }) => [names.get(id) ?? id, role]));
}

it('makes, raises, lowers and ends memberships at every sign-in', async () => {
  expect(await rolesAs(['staff'])).toEqual({ shop: 'viewer' });
  expect(await rolesAs(['developers', 'staff', 'researchers'])).toEqual({ shop: 'member', lab: 'admin' });
  expect(await rolesAs(['staff', 'researchers'])).toEqual({ shop: 'viewer', lab: 'admin' });
  expect(await rolesAs('researchers')).toEqual({ lab: 'admin' });
  expect(await rolesAs(undefined)).toEqual({});
});

it('has events of what groups change', async () => {
  for (const groups of [['staff'], ['staff'], ['developers'], []]) await rolesAs(groups);
  const userId = await userIdOf(site.provider, user.sub);
  const events = await recordedEvents(shop);
  expect(events.filter(({ data }) => data['userId'] === userId)).toMatchObject([
    { type: 'member_added', data: { role: 'viewer', fromGroups: true } },
    { type: 'member_updated', data: { role: 'member', previousRole: 'viewer' } },
    { type: 'member_removed', data: { role: 'member' } },
  ]);
});

it.each([[undefined], [[]], [['Staff', 'unknown', 5]], [{ staff: true }], ['']])(
  'gives nothing for the groups %j',
  async (groups) => {
    expect(await rolesAs(groups)).toEqual({});
  },
);

it('lets a user use what the group gives, and no longer than that', async () => {
  await rolesAs(['developers']);
  const visitor = site.newVisitor();
  await visitor.signIn();
  const browser = visitor.browser();
  await browser.open('/settings/tokens');
  const { html } = await browser.submit('/settings/tokens', { name: 'CI', expires: '30' });
  const token = /class="secret">(ca_\w+)</.exec(html)?.[1] ?? '';
  const api = new Api(site.server.origin, token);
  expect((await api.get(`/v1/organizations/${shop.organizationId}`)).status).toBe(200);
  await rolesAs([]);
  expect((await api.get(`/v1/organizations/${shop.organizationId}`)).status).toBe(404);
});

describe('a membership that was made by hand', () => {
  it('gets the role of the group, and stays when the group is gone', async () => {
    const actor = await createMember(shop, 'admin');
    user = site.provider.createUser({ email: actor.email });
    expect(await rolesAs([])).toEqual({ shop: 'admin' });
    expect(await rolesAs(['staff'])).toEqual({ shop: 'viewer' });
    expect(await rolesAs([])).toEqual({ shop: 'viewer' });
  });
});

describe('the last owner', () => {
  it('stays one, whatever the groups say', async () => {
    expect(await rolesAs(['heirs'])).toEqual({ orphan: 'owner' });
    await query(testEnvironment().databaseUrl, 'DELETE FROM members WHERE user_id = $1', [
      orphan.owner.userId,
    ]);
    expect(await rolesAs([])).toEqual({ orphan: 'owner' });
    const newOwner = user;
    user = site.provider.createUser();
    expect(await rolesAs(['heirs'])).toEqual({ orphan: 'owner' });
    user = newOwner;
    expect(await rolesAs([])).toEqual({});
  });

  it('is not lowered, but one of several is', async () => {
    const tenantOwner = shop.owner;
    user = site.provider.createUser({ email: tenantOwner.email });
    expect(await rolesAs(['staff'])).toEqual({ shop: 'owner' });
    const other = user;
    user = site.provider.createUser();
    expect(await rolesAs(['leads'])).toEqual({ shop: 'owner' });
    expect(await rolesAs(['developers'])).toEqual({ shop: 'member' });
    user = other;
    expect(await rolesAs([])).toEqual({ shop: 'owner' });
  });
});

it('does not touch the memberships of others', async () => {
  const bystander = await createMember(shop, 'member');
  await rolesAs(['staff']);
  await rolesAs([]);
  expect((await bystander.api.get(`/v1/organizations/${shop.organizationId}`)).status).toBe(200);
  expect((await (await createActor()).api.get(`/v1/organizations/${shop.organizationId}`)).status).toBe(404);
});
