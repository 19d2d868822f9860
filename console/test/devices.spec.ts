import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { createApp, type TestApp } from '../../test/builders/app.js';
import { createChannel } from '../../test/builders/channel.js';
import { checkForUpdate, createDevice } from '../../test/builders/device.js';
import { createTenant, type Tenant } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { query } from '../../test/setup/databases.js';
import { someOf } from '../../test/setup/depth.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { release } from './shop.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { databaseUrl } = testEnvironment();

describeInChromium('devices', () => {
  let chromium: Chromium;
  let tenant: Tenant;
  let visitor: Visitor;
  let page: Page;
  let app: TestApp;

  beforeAll(async () => {
    chromium = await Chromium.start();
    tenant = await createTenant();
    await givePassword(tenant.owner);
    visitor = await visitorOf(chromium, null);
    page = visitor.page;
  });
  afterAll(() => chromium.stop());
  beforeEach(async () => {
    app = await createApp(tenant, { name: 'Shop' });
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { name: 'production' });
    await visitor.signIn(tenant.owner);
  });
  afterEach(() => {
    expect(visitor.problems).toEqual([]);
  });

  const list = (search = ''): string => `/apps/${app.id}/devices${search}`;
  const one = (id: string): string => list(`?${new URLSearchParams({ id })}`);
  const served = async (deviceId: string, values: Record<string, string> = {}): Promise<unknown> =>
    ((await checkForUpdate(app, { deviceId, ...values })).body as { bundleId?: string }).bundleId ?? null;
  const rows = (): Locator => page.locator('table.devices tbody tr');

  it('show the first check on the open page, and ask only for what has changed', async () => {
    await visitor.visit(list());
    await page.getByText('No device has asked for updates yet').waitFor();
    await page.getByText(`"appId": "${app.id}"`).waitFor();
    const { releases, since } = { releases: await release(app, '2.4.0', 'New search'), since: Date.now() };
    await checkForUpdate(app, { deviceId: 'my-phone', customId: 'ada' });
    await page.getByRole('link', { name: 'ada' }).waitFor({ timeout: 10_000 });
    expect(Date.now() - since).toBeLessThan(10_000);
    await page.getByText('offered 2.4.0').waitFor();
    const unchanged = await page.waitForResponse(
      (response) => response.url().includes('cursor=first') && response.status() === 304,
    );
    expect(unchanged.request().headers()['if-none-match']).toBeDefined();
    await checkForUpdate(app, { deviceId: 'my-phone', customId: 'ada', bundleId: releases.id });
    await rows().getByText('2.4.0', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'ada' }).click();
    await page.getByText('Runs 2.4.0 (build 1), the newest of production.').waitFor();
    await page.getByText('Up to date').waitFor();
  });

  it('are found by a part of their ids, narrowed by chips, and read page by page', async () => {
    const beta = await createChannel(app, { name: 'beta' });
    const first = await createDevice(app, { deviceId: 'first', platform: '1', channelName: 'beta' });
    await query(
      databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version, channel_id, custom_id, last_seen_at)
       SELECT app_id, 'phone-' || n, 0, '10', '1.0.0', '34', '8.4.3', $2, 'user-' || n % 40, now() - n * interval '1 hour'
         FROM devices, generate_series(1, 119) AS n WHERE app_id = $1 AND id = $3`,
      [app.id, app.defaultChannelId, first],
    );
    await visitor.visit(list());
    await rows().nth(49).waitFor();
    await page.getByRole('link', { name: 'Seen before' }).click();
    await page.getByText('phone-50').waitFor();
    await page.reload();
    await page.getByText('phone-99').waitFor();
    await page.getByRole('link', { name: 'Seen before' }).click();
    await page.getByText('phone-119').waitFor();
    await expect(rows().count()).resolves.toBe(20);
    await expect(page.getByRole('link', { name: 'Seen before' }).count()).resolves.toBe(0);
    await page.goBack();
    await page.getByText('phone-99').waitFor();
    await page.getByRole('link', { name: 'Last seen' }).click();
    await page.getByText('phone-1', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'iOS' }).click();
    await page.getByText('phone-1', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'first' }).waitFor();
    await expect(rows().count()).resolves.toBe(1);
    await page.getByLabel('Channel').selectOption('production');
    await page.getByText('No device of Shop matches').waitFor();
    await page.getByRole('link', { name: 'Show all devices' }).click();
    await page.getByLabel('Channel').selectOption('beta');
    await page.getByRole('link', { name: 'first' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?channel=${beta.id}`);
    await visitor.visit(list('?seen=1'));
    await page.getByRole('link', { name: 'first' }).waitFor();

    await visitor.visit(list());
    await page.getByRole('searchbox', { name: 'Search devices' }).fill('PHONE-11');
    await page.getByText('phone-119').waitFor();
    await expect(rows().count()).resolves.toBe(11);
    expect(new URL(page.url()).search).toBe('?query=PHONE-11');
    // A cursor of other filters, or of another day.
    await visitor.visit(list('?platform=1&cursor=AAAA'));
    await page.getByRole('link', { name: 'first' }).waitFor();
    expect(new URL(page.url()).search).toBe('?platform=1');
  });

  it('of one person are found from each of them', async () => {
    for (const deviceId of ['phone', 'tablet', 'watch'])
      await createDevice(app, { deviceId, customId: '<b>Ada</b> & co' });
    await createDevice(app, { deviceId: 'other', customId: '<b>Ada</b>' });
    await visitor.visit(one('tablet'));
    await page.getByRole('heading', { name: '<b>Ada</b> & co' }).waitFor();
    await page.getByRole('link', { name: 'The same person has 3 device ids' }).click();
    await rows().nth(2).waitFor();
    await expect(rows().count()).resolves.toBe(3);
    await page.getByRole('button', { name: 'Without the filter: Custom id <b>Ada</b> & co' }).click();
    await rows().nth(3).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search', { exact: true }).fill('watch');
    await page.getByRole('button', { name: 'watch Device' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.facts-list').getByText('watch', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?id=watch');
  });

  it('are forced to a channel and deleted by their page, which holds when they are gone', async () => {
    const deviceId = 'my-phone';
    await createChannel(app, { name: 'beta' });
    const inBeta = await release(app, '2.5.0-beta', 'Try this', 1, { channelName: 'beta' });
    await createDevice(app, { deviceId });
    await visitor.visit(one(deviceId));
    await page.getByRole('button', { name: 'Force to a channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Channel').selectOption('production (its channel now)');
    await dialog.getByText('It uses this channel already: forcing it changes nothing.').waitFor();
    await dialog.getByLabel('Channel').selectOption('beta');
    await dialog.getByText('It uses this channel already').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Force to beta' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Gets 2.5.0-beta with its next check. It is forced to beta.').waitFor();
    expect(await served(deviceId)).toBe(inBeta.id);

    // By another person, while the page is open.
    await app.api.delete(`${app.path}/devices/${deviceId}`);
    await page.getByText('No device with this id is known').waitFor();
    await createDevice(app, { deviceId });
    await page.getByRole('button', { name: 'Force to a channel' }).waitFor();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete the device' }).click();
    await dialog.getByText('Deletes all data about this one device').waitFor();
    await dialog.getByRole('button', { name: 'Delete the device' }).click();
    await page.getByText('No device has asked for updates yet').waitFor();
    expect((await app.api.get(`${app.path}/devices`)).body).toEqual([]);
  });

  it('have ids that strangers choose: they are text, and stand in queries only', async () => {
    const plain = [
      'x'.repeat(255),
      '1e5',
      'true',
      '0123',
      '12345678901234567890',
      'a..b:c~d_1.-',
      randomUUID(),
    ];
    for (const deviceId of plain) await createDevice(app, { deviceId });
    const former = [
      '..',
      '.',
      'a/b/../c',
      '<img src=x onerror=alert(1)>',
      'a b+c%2F',
      '\u202Eevil',
      '🚢 שלום',
      'a,b',
    ];
    await query(
      databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version, custom_id, last_seen_at)
       SELECT app_id, each.id, 0, '10', '1.0.0', '34', '8.4.3', CASE each.id WHEN '..' THEN '<script>alert(1)</script>' END, last_seen_at
         FROM devices, unnest($2::text[]) AS each (id) WHERE app_id = $1 AND devices.id = '1e5'`,
      [app.id, former],
    );
    await release(app, '2.4.1', 'Fix');
    await visitor.visit(list());
    await rows()
      .nth(plain.length + former.length - 1)
      .waitFor();
    const links = rows().getByRole('link');
    for (const row of someOf([...plain, ...former].map((_, index) => index))) {
      await links.nth(row).click();
      await page.getByText('Device id', { exact: true }).waitFor();
      const { pathname, searchParams } = new URL(page.url());
      expect(pathname).toBe(list());
      expect([...plain, ...former]).toContain(searchParams.get('id'));
      const isPathless = ['.', '..', 'a/b/../c'].includes(searchParams.get('id')!);
      await page
        .getByText(isPathless ? 'This id cannot stand in the path' : 'Gets 2.4.1 with its next check.')
        .waitFor();
      await page.goBack();
      await rows()
        .nth(plain.length + former.length - 1)
        .waitFor();
    }
    for (const id of someOf([...plain, ...former])) {
      await visitor.visit(one(id));
      await page.getByText('Device id', { exact: true }).waitFor();
    }
    expect(await page.locator('main img, main script').count()).toBe(0);
    await visitor.visit(one('..'));
    await page.getByRole('heading', { name: '<script>alert(1)</script>' }).waitFor();
    await page.getByRole('button', { name: 'Force to a channel' }).click();
    await page.getByRole('dialog').getByLabel('Channel').selectOption('production');
    await page.getByRole('dialog').getByRole('button', { name: 'Force to production' }).click();
    await page.getByText('forced to').first().waitFor();
    const { body } = await app.api.get(`${app.path}/devices?id=..`);
    expect(body).toMatchObject([{ forcedAppChannelName: 'production' }]);
    for (const id of ['unknown', 'y'.repeat(1000)]) {
      await visitor.visit(one(id));
      await page.getByText(/No device with this id is known|could not be read/).waitFor();
    }
  });

  it('are reached from a release that they lack', async () => {
    const newest = await release(app, '2.4.1', 'Fix', 1, { minAndroidAppVersionCode: '200' });
    for (const deviceId of ['a', 'b']) await createDevice(app, { deviceId });
    await visitor.visit(`/apps/${app.id}/deployments/${newest.deploymentId}`);
    await page.getByRole('button', { name: 'Count the devices' }).click();
    await page.getByText('Native version too low').waitFor();
    await page.getByRole('link', { name: 'Show them' }).click();
    await rows().nth(1).waitFor();
    expect(new URL(page.url()).searchParams.get('channel')).toBe(app.defaultChannelId);
  });
});
