import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createApp } from '../../test/builders/app.js';
import type { TestBundle } from '../../test/builders/bundle.js';
import { createChannel } from '../../test/builders/channel.js';
import { createMember } from '../../test/builders/identities.js';
import { createPerson } from '../../test/builders/person.js';
import { oneOf } from '../../test/setup/depth.js';
import { accessibilityProblems, Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { FAILED_LOG, runBuild, type RunningBuild } from './made-build.js';
import { createShop, DEVICES, release, type Shop } from './shop.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;

/** Bytes of script in gzip that a screen may load as the first one. */
const MAX_SCRIPT = 250_000;
/** Requests to the API until a screen is painted. */
const MAX_REQUESTS = 6;

const WIDTHS = [1280, 390, 320] as const;
/** How each screen is opened. The colours of the narrowest width are those of the next one. */
const WAYS = [
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
  [320, 'light'],
] as const;

describeInChromium('every screen', () => {
  let chromium: Chromium;
  /** The owner of the shop. */
  let visitor: Visitor;
  let shop: Shop;
  let newest: TestBundle;
  let failed: RunningBuild;
  let built: RunningBuild;
  let governed: string;
  /** A release of that channel that waits for an approval of the owner, in whose inbox it is. */
  let waiting: string;

  beforeAll(async () => {
    chromium = await Chromium.start();
    shop = await createShop(DEVICES);
    visitor = await visitorOf(chromium, null);
    newest = await release(shop.app, '2.4.1', 'Fix checkout on iPad', 0.25);
    [failed, built] = [await runBuild(shop.app), await runBuild(shop.app)];
    for (const each of [failed, built]) await each.print(FAILED_LOG);
    await failed.end('failed', { step: 'build' });
    await built.end('succeeded');
    await shop.app.api.post(`${shop.app.path}/builds/${built.id}/shares`, { description: 'For testers' });
    const freeze = {
      from: new Date(Date.now() - 60_000),
      to: new Date(Date.now() + 3_600_000_000),
      reason: 'Holidays',
    };
    governed = (await createChannel(shop.app, { name: 'governed', requiredApprovals: 2 })).id;
    const author = await createMember(shop.tenant, 'member');
    const asked = { appBuildId: newest.buildId, appChannelId: governed, notes: 'Fix checkout on iPad' };
    for (const values of [{}, { comment: 'Again' }]) {
      const { body } = await author.api.post(`${shop.app.path}/deployments`, { ...asked, ...values });
      waiting = (body as { id: string }).id;
    }
    await shop.app.api.patch(`${shop.app.path}/channels/${governed}`, { freezeWindows: [freeze] });
  });
  afterAll(() => chromium.stop());
  beforeEach(async () => {
    await visitor.page.setViewportSize({ width: 1280, height: 844 });
    await visitor.signIn(shop.tenant.owner);
  });

  const screens = (): Readonly<Record<string, string>> => ({
    apps: '/',
    overview: `/apps/${shop.app.id}`,
    channels: `/apps/${shop.app.id}/channels`,
    channel: `/apps/${shop.app.id}/channels/${shop.production}`,
    'empty channel': `/apps/${shop.app.id}/channels/${shop.beta}`,
    release: `/apps/${shop.app.id}/deployments/${newest.deploymentId}`,
    devices: `/apps/${shop.app.id}/devices`,
    'no devices': `/apps/${shop.app.id}/devices?query=nothing`,
    device: `/apps/${shop.app.id}/devices?id=device-1`,
    'no device': `/apps/${shop.app.id}/devices?id=nothing`,
    'channel with approvals and freezes': `/apps/${shop.app.id}/channels/${governed}`,
    'release that waits': `/apps/${shop.app.id}/deployments/${waiting}`,
    signing: `/apps/${shop.app.id}/signing`,
    webhooks: `/organizations/${shop.tenant.organizationId}/webhooks`,
    publish: `/apps/${shop.app.id}/publish`,
    builds: `/apps/${shop.app.id}/builds`,
    'no builds': `/apps/${shop.app.id}/builds?ref=nothing`,
    build: `/apps/${shop.app.id}/builds/${built.id}`,
    'failed build': `/apps/${shop.app.id}/builds/${failed.id}#L64`,
    'uploaded build': `/apps/${shop.app.id}/builds/${shop.releases[0]!.buildId}`,
    'no channel': `/apps/${shop.app.id}/channels/${shop.app.id}`,
    'no page': `/apps/${shop.app.id}/nothing`,
  });

  it('is usable by everybody at all widths, light and dark, soon there, and without a message of the browser', async () => {
    const { page } = visitor;
    for (const [row, [name, path]] of Object.entries(screens()).entries()) {
      for (const [width, colorScheme] of oneOf(WAYS, row)) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        await visitor.visit(path);
        // Counts of devices are asked for again until they are there.
        const tooMany = [...new Set(visitor.requests)].slice(MAX_REQUESTS);
        const scripts = await scriptsOf(page);
        const problems = await accessibilityProblems(page);
        const tooWide: number[] = [];
        for (const each of WIDTHS) if (await isWiderThan(page, each)) tooWide.push(each);
        expect({ name, width, colorScheme, tooMany, tooWide, problems }).toEqual({
          name,
          width,
          colorScheme,
          tooMany: [],
          tooWide: [],
          problems: [],
        });
        expect(scripts.length).toBeGreaterThan(1);
        expect(sizeOf(scripts)).toBeLessThanOrEqual(MAX_SCRIPT);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(visitor.problems).toEqual([]);
  });

  it('comes after the sign-in with path, query and fragment', async () => {
    const person = shop.tenant.owner;
    const stranger = await visitorOf(chromium, null);
    const path = `/apps/${shop.app.id}/channels/${shop.production}?page=2#top`;
    await stranger.visit(path);
    await stranger.page.waitForURL(/\/login\?next=/);
    await stranger.page.getByLabel('E-mail address').fill(person.email);
    await stranger.page.getByLabel('Password').fill('correct horse battery staple');
    await stranger.page.getByRole('button', { name: 'Sign in' }).click();
    await stranger.page.getByRole('heading', { name: 'production' }).waitFor();
    const { pathname, search, hash } = new URL(stranger.page.url());
    expect(pathname + search + hash).toBe(path);
  });

  it('of another organization says that there is none', async () => {
    const stranger = await visitorOf(chromium, await createPerson());
    await stranger.visit(`/apps/${shop.app.id}/channels/${shop.production}`);
    await stranger.page.getByText('There is no channel here').waitFor();
    await stranger.page.getByRole('link', { name: 'Go to your apps' }).click();
    await stranger.page.getByText('You are not a member of an organization').waitFor();
  });

  it('counts who lacks a release, and why', async () => {
    await visitor.visit(`/apps/${shop.app.id}/deployments/${newest.deploymentId}`);
    await visitor.page.getByRole('button', { name: 'Count the devices' }).click();
    await visitor.page.getByText('Outside of the share').waitFor();
    const devices = await visitor.page.getByText(/\d+ of \d+ devices/).textContent();
    expect(devices).toMatch(new RegExp(`of ${DEVICES} devices`));
    await visitor.page.getByRole('button', { name: 'Raise' }).last().click();
    await visitor.page.getByRole('dialog').getByText('more devices get it').waitFor();
    expect(visitor.problems).toEqual([]);
  });

  it('goes where Ctrl-K is told to', async () => {
    await visitor.visit(`/apps/${shop.app.id}`);
    await visitor.page.keyboard.press('Control+k');
    await visitor.page.getByLabel('Search').fill('beta');
    await visitor.page.getByText('Channel', { exact: true }).first().waitFor();
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('heading', { name: 'beta' }).waitFor();
    await visitor.page.goBack();
    await visitor.page.getByRole('heading', { name: 'Shop' }).waitFor();

    // Outside of apps, a whole id leads to its device, and a part of one to the devices of an app.
    await createApp(shop.tenant, { name: 'Aisle' });
    const search = async (text: string): Promise<void> => {
      await visitor.visit('/');
      await visitor.page.keyboard.press('Control+k');
      await visitor.page.getByPlaceholder('Builds: open an app first').waitFor();
      await visitor.page.getByLabel('Search').fill(text);
    };
    await search('device-17');
    await visitor.page.getByRole('button', { name: 'Shop · device-17' }).waitFor();
    await expect(visitor.page.getByText('Devices of Aisle').count()).resolves.toBe(0);
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('heading', { name: 'device-17' }).waitFor();
    await search('evice-17');
    await visitor.page.getByRole('button', { name: 'Devices of Shop with evice-17' }).click();
    await visitor.page.getByRole('link', { name: 'device-17' }).waitFor();
    expect(new URL(visitor.page.url()).search).toBe('?query=evice-17');
    expect(visitor.problems).toEqual([]);
  });
});

/** Whether a window of a width does not hold a page. */
async function isWiderThan(page: Page, width: number): Promise<boolean> {
  await page.setViewportSize({ width, height: 844 });
  // What depends on the width is drawn with the next frame.
  return page.evaluate<boolean>(`new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() =>
      resolve(document.documentElement.scrollWidth > innerWidth))))`);
}

/** Names of the scripts that a page has loaded. */
async function scriptsOf(page: Page): Promise<string[]> {
  const addresses = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name)`,
  );
  return addresses.flatMap((address) => /\/console\/files\/([^/?]+\.js)$/.exec(address)?.[1] ?? []);
}

/** Their bytes in gzip. */
function sizeOf(scripts: readonly string[]): number {
  const folder = join(import.meta.dirname, '../../dist/console/files');
  return scripts.reduce((sum, name) => sum + statSync(join(folder, `${name}.gz`)).size, 0);
}
