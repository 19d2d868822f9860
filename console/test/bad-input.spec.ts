import { createApp } from '../../test/builders/app.js';
import { createChannel } from '../../test/builders/channel.js';
import { createTenant } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { query } from '../../test/setup/databases.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { createShop, release, type Shop } from './shop.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { databaseUrl } = testEnvironment();

const DAY = 86_400_000;

describeInChromium('the console', () => {
  let chromium: Chromium;
  let visitor: Visitor;

  beforeAll(async () => {
    chromium = await Chromium.start();
    visitor = await visitorOf(chromium, null);
  });
  afterAll(() => chromium.stop());

  describe('with names that other programs stumble over', () => {
    const names = ['feature/pr-12', '..', '%2F', '🚢 שלום', '<b>x</b>', 'x'.repeat(128)];
    let shop: Shop;

    beforeAll(async () => {
      shop = await createShop();
      for (const name of names) await createChannel(shop.app, { name });
    });
    beforeEach(() => visitor.signIn(shop.tenant.owner));

    it('shows them as they are, and has ids in its paths', async () => {
      const { page } = visitor;
      await visitor.visit(`/apps/${shop.app.id}/channels`);
      for (const name of names) {
        await page.getByRole('link', { name }).filter({ hasText: name }).first().click();
        await page.getByRole('heading', { name, level: 1 }).waitFor();
        expect(new URL(page.url()).pathname).toMatch(/^\/apps\/[0-9a-f-]{36}\/channels\/[0-9a-f-]{36}$/);
        await page.getByText(`Devices that ask for ${name} keep`).waitFor();
        await page.goBack();
        await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
      }
      expect(visitor.problems).toEqual([]);
    });

    it('publishes to them, and shows what people wrote as text', async () => {
      const { page } = visitor;
      const notes = '<img src=x onerror=alert(1)><script>alert(2)</script> [a](javascript:alert(3))';
      const { deploymentId } = await release(shop.app, '..', 'Fix', 1, { channelName: '..', notes });
      await visitor.visit(`/apps/${shop.app.id}/deployments/${deploymentId}`);
      await page.getByText(notes).first().waitFor();
      expect(await page.locator('main img, main script').count()).toBe(0);
      await page.getByRole('link', { name: '..', exact: true }).click();
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('heading', { name: 'Publish to ..' }).waitFor();
      expect(visitor.problems).toEqual([]);
    });
  });

  it('finds one of 2,000 channels, and publishes to that', async () => {
    const shop = await createShop();
    await query(
      databaseUrl,
      `INSERT INTO channels (id, app_id, name, name_lower)
       SELECT gen_random_uuid(), $1, name, name FROM (SELECT 'branch-' || n AS name FROM generate_series(1, 1998) n) names`,
      [shop.app.id],
    );
    await visitor.signIn(shop.tenant.owner);
    const { page } = visitor;
    await visitor.visit(`/apps/${shop.app.id}`);
    await page.getByRole('link', { name: 'All 2,000 channels' }).click();
    const rows = page.locator('main a.row');
    await rows.nth(19).waitFor();
    await expect(rows.count()).resolves.toBe(20);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(39).waitFor();
    await expect(rows.count()).resolves.toBe(40);

    await page.getByRole('searchbox', { name: 'Search channels' }).fill('branch-177');
    await page.getByRole('link', { name: 'branch-1777' }).waitFor();
    await expect(rows.count()).resolves.toBe(11);
    expect(new URL(page.url()).search).toBe('?query=branch-177');
    await page.reload();
    await page.getByRole('link', { name: 'branch-1777' }).click();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: 'Publish to branch-1777' }).waitFor();
    await expect(page.getByLabel('Channel').locator('option:checked').textContent()).resolves.toBe(
      'branch-1777',
    );
    await page.goBack();
    await page.getByRole('heading', { name: 'branch-1777' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByLabel('Search').fill('branch-9');
    await page.getByRole('button', { name: 'branch-9 Channel' }).waitFor();
    await page.getByLabel('Search').fill('branch-1998');
    await page.getByRole('button', { name: 'branch-1998 Channel' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'branch-1998' }).waitFor();
    expect(visitor.problems).toEqual([]);
  });

  it('shows 300 apps and the inbox by five requests, the others a moment later, and finds one of them', async () => {
    const tenant = await createTenant();
    await givePassword(tenant.owner);
    const courier = await createApp(tenant, { name: 'Courier' });
    await query(
      databaseUrl,
      `INSERT INTO apps (id, organization_id, name, type)
       SELECT gen_random_uuid(), $1, 'App ' || n, 'capacitor' FROM generate_series(1, 299) n`,
      [tenant.organizationId],
    );
    await visitor.signIn(tenant.owner);
    const { page } = visitor;
    const pathsOf = (): string[] =>
      [...new Set(visitor.requests)].map((request) => request.split('?')[0]!).sort();
    await visitor.visit('/');
    const rows = page.locator('main a.row');
    await rows.nth(299).waitFor();
    await page.getByRole('heading', { name: 'Apps 300' }).waitFor();
    const requestsWith = (summaries: number): string[] => [
      '/v1/apps',
      '/v1/apps',
      ...Array.from({ length: summaries }, () => `/v1/organizations/${tenant.organizationId}/app-summaries`),
      `/v1/organizations/${tenant.organizationId}/inbox`,
      '/v1/users/me/access',
    ];
    expect(pathsOf()).toEqual(requestsWith(1));
    await rows.nth(298).getByText('no channels').waitFor();
    expect(pathsOf()).toEqual(requestsWith(3));
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search').fill('App 277');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'App 277' }).waitFor();

    const [first] = (await tenant.owner.api.get(`/v1/apps?organizationId=${tenant.organizationId}&limit=1`))
      .body as { id: string }[];
    const others = [
      '/v1/users/me/access',
      `/v1/organizations/${tenant.organizationId}/app-summaries`,
      `/v1/organizations/${tenant.organizationId}/events`,
    ];
    for (const id of [first!.id, courier.id]) {
      await visitor.visit(`/apps/${id}`);
      const own = [`/v1/apps/${id}/builds`, `/v1/apps/${id}/insights/devices`];
      // The last one by name is not among the hundred that the shell begins with.
      const itself = id === courier.id ? [`/v1/apps/${id}`] : [];
      expect(pathsOf()).toEqual([...others, ...own, ...itself].sort());
    }
    await page.getByRole('button', { name: 'App: Courier' }).click();
    await page.getByRole('menuitem', { name: 'App 277' }).click();
    await page.getByRole('heading', { name: 'App 277' }).waitFor();
    expect(visitor.problems).toEqual([]);
  });

  it('goes by the clock of the server, not by one that is a day off', async () => {
    const shop = await createShop();
    const yesterday = new Date(Math.floor((Date.now() - DAY) / DAY) * DAY + DAY / 2);
    await query(databaseUrl, 'UPDATE deployments SET created_at = $2 WHERE app_id = $1', [
      shop.app.id,
      yesterday,
    ]);
    const other = await visitorOf(chromium, shop.tenant.owner, { timezoneId: 'UTC' });
    const { page } = other;
    for (const off of [DAY, -DAY]) {
      await page.clock.setFixedTime(Date.now() + off);
      await other.visit(`/apps/${shop.app.id}/channels/${shop.production}`);
      await page.getByText('yesterday 12:00').first().waitFor();
    }
    expect(other.problems).toEqual([]);
  });
});
