import type { Locator, Page } from 'playwright-core';
import { type RemedyKind, remedyKinds } from '../../src/devices/decisions/remedy.dto.js';
import { createApp, type TestApp } from '../../test/builders/app.js';
import { registerBundle, type TestBundle } from '../../test/builders/bundle.js';
import { createChannel } from '../../test/builders/channel.js';
import { checkForUpdate, createDevice } from '../../test/builders/device.js';
import { createMember, createTenant, type Tenant } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { query } from '../../test/setup/databases.js';
import { someOf } from '../../test/setup/depth.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { rollBack } from '../../test/support/devices/rollbacks.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { release } from './shop.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { databaseUrl } = testEnvironment();

describeInChromium('a device that does not get the newest release: a button', () => {
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

  const one = (id: string): string => `/apps/${app.id}/devices?${new URLSearchParams({ id })}`;
  const served = async (deviceId: string, values: Record<string, string>): Promise<unknown> =>
    ((await checkForUpdate(app, { deviceId, ...values })).body as { bundleId?: string }).bundleId ?? null;
  let newest: TestBundle;
  const deviceId = 'my-phone';
  const channel = (): string => `${app.path}/channels/${app.defaultChannelId}`;
  const dialog = (): Locator => page.getByRole('dialog');

  /** Presses the button of a remedy, and confirms. */
  async function carryOut(
    { says, button, confirm }: { says: RegExp; button: string; confirm: RegExp },
    choose: () => Promise<unknown> = async () => undefined,
  ): Promise<void> {
    await visitor.visit(one(deviceId));
    await page.getByText(says).first().waitFor();
    await page.getByText('Does not get the newest').waitFor();
    await page.locator('.remedy-row').getByRole('button', { name: button }).click();
    await dialog().waitFor();
    await choose();
    await dialog().getByRole('button', { name: confirm }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('Does not get the newest').waitFor({ state: 'detached' });
    await page.getByText('Gets an update').waitFor();
  }

  const cases: Partial<Record<RemedyKind, () => Promise<void>>> = {
    'unforce-channel': async () => {
      const beta = await createChannel(app, { name: 'beta' });
      newest = await release(app, '2.4.1', 'Fix');
      await createDevice(app, { deviceId });
      await app.api.patch(`${app.path}/devices/${deviceId}`, { forcedAppChannelId: beta.id });
      await carryOut({ says: /It is forced to beta/, button: 'Stop forcing', confirm: /Stop forcing/ });
    },
    'create-channel': async () => {
      newest = await release(app, '2.4.1', 'Fix');
      await createDevice(app, { deviceId, channelName: 'prodution' });
      await carryOut(
        {
          says: /it asks for the channel prodution, which does not exist/,
          button: 'Force to a channel',
          confirm: /Force to production/,
        },
        () => dialog().getByLabel('Channel').selectOption('production'),
      );
    },
    'set-default-channel': async () => {
      newest = await release(app, '2.4.1', 'Fix');
      await app.api.patch(app.path, { appChannelId: null });
      await createDevice(app, { deviceId });
      await carryOut(
        { says: /it asks for no channel/, button: 'Set', confirm: /Make production the default/ },
        () => dialog().getByLabel('Channel').selectOption('production'),
      );
    },
    'resume-channel': async () => {
      newest = await release(app, '2.4.1', 'Fix');
      await app.api.post(`${channel()}/pause`);
      await createDevice(app, { deviceId });
      await carryOut({
        says: /the channel production is paused/,
        button: 'Resume',
        confirm: /Resume production/,
      });
    },
    'extend-channel': async () => {
      newest = await release(app, '2.4.1', 'Fix');
      await query(databaseUrl, `UPDATE channels SET expires_at = now() - interval '1 day' WHERE id = $1`, [
        app.defaultChannelId,
      ]);
      await createDevice(app, { deviceId });
      await carryOut({
        says: /the channel production has expired/,
        button: 'Extend',
        confirm: /Extend production/,
      });
    },
    'approve-deployment': async () => {
      await release(app, '2.4.0', 'New search');
      await app.api.patch(channel(), { requiredApprovals: 1 });
      const ben = await createMember(tenant, 'member');
      newest = await registerBundle({ ...app, api: ben.api }, { channelName: 'production' });
      await app.api.patch(`${app.path}/builds/${newest.buildId}`, { displayName: '2.4.1' });
      await createDevice(app, { deviceId });
      await carryOut({
        says: /Does not get 2.4.1: it waits for approval/,
        button: 'Approve',
        confirm: /Approve 2.4.1/,
      });
    },
    'raise-rollout': async () => {
      newest = await release(app, '2.4.1', 'Fix', 0);
      await createDevice(app, { deviceId });
      await carryOut(
        { says: /it is not among the 0.% of devices that get it/, button: 'Raise', confirm: /Raise to/ },
        () => dialog().getByText('more devices get it').waitFor(),
      );
    },
    'extend-bundle': async () => {
      newest = await release(app, '2.4.1', 'Fix');
      await query(databaseUrl, `UPDATE bundles SET expires_at = now() - interval '1 day' WHERE id = $1`, [
        newest.id,
      ]);
      await createDevice(app, { deviceId });
      await carryOut({ says: /the bundle has expired/, button: 'Keep it', confirm: /Keep 2.4.1/ });
    },
    'offer-again': async () => {
      newest = await release(app, '2.4.1', 'Fix');
      await createDevice(app, { deviceId });
      for (let times = 0; times < 2; times++) await rollBack(app, deviceId, newest.id);
      await carryOut({
        says: /it went back from this bundle 2 times/,
        button: 'Offer again',
        confirm: /Offer 2.4.1 again/,
      });
    },
  };

  it.each(Object.entries(cases))('for %s makes the device get it', async (kind, scene) => {
    await scene();
    const asked: Record<string, string> = kind === 'create-channel' ? { channelName: 'prodution' } : {};
    expect(await served(deviceId, asked)).toBe(newest.id);
  });

  it('or the guide, for every other remedy', async () => {
    newest = await release(app, '2.4.1', 'Fix', 1, { minAndroidAppVersionCode: '200' });
    await createDevice(app, { deviceId, appVersionCode: '180' });
    await visitor.visit(one(deviceId));
    await page.getByText('Does not get 2.4.1: its native version 180 is below 200.').waitFor();
    await page.getByRole('button', { name: 'What to do' }).click();
    await dialog().getByText('Update the app on the device from the store').waitFor();
    await dialog().getByText(`--build-id ${newest.buildId} --android-min 180`).waitFor();
    const others = remedyKinds.filter((kind) => cases[kind] === undefined && kind !== 'deploy');
    for (const remedy of someOf(others)) {
      await page.route('**/decision', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { goals: { remedies: object[] }[] };
        Object.assign(body.goals[0]!.remedies[0]!, { remedy, message: `The remedy ${remedy}.` });
        await route.fulfill({ response, json: body });
      });
      await visitor.visit(one(deviceId));
      await page.getByRole('button', { name: 'What to do' }).click();
      await dialog().getByText(`The remedy ${remedy}.`).waitFor();
      await dialog().locator('ol.steps li').first().waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await page.unroute('**/decision');
    }
  });

  it('leads to the page that publishes where nothing is deployed', async () => {
    await createDevice(app, { deviceId });
    await visitor.visit(one(deviceId));
    await page.getByText('Does not get an update: nothing was deployed to production.').waitFor();
    await page.getByRole('link', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: 'Publish to production' }).waitFor();
  });

  it('explains each step of the decision', async () => {
    await release(app, '2.4.0', 'New search');
    newest = await release(app, '2.4.1', 'Fix', 0);
    await createDevice(app, { deviceId });
    await visitor.visit(one(deviceId));
    await page.getByText('How it was decided').click();
    await page.getByText('not forced, asks for none, gets the default channel, production').waitFor();
    await page.getByText('does not fit, 1 of').waitFor();
    await page.getByText(/bucket .+, share 0.%/).waitFor();
    await page.getByText('fits the device').waitFor();
  });

  it('is not for those who may only read', async () => {
    newest = await release(app, '2.4.1', 'Fix', 0);
    await createDevice(app, { deviceId });
    const viewer = await createMember(tenant, 'viewer');
    await givePassword(viewer);
    await visitor.signIn(viewer);
    await visitor.visit(one(deviceId));
    const raise = page.getByRole('button', { name: 'Raise' });
    await raise.waitFor();
    expect(await raise.getAttribute('aria-disabled')).toBe('true');
    expect(await raise.getAttribute('title')).toBe('Your role does not allow this.');
    await expect(page.getByRole('button', { name: 'Force to a channel' }).count()).resolves.toBe(0);
  });
});
