import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { checkForUpdate } from '../../test/builders/device.js';
import { createTenant } from '../../test/builders/identities.js';
import { createPerson, givePassword } from '../../test/builders/person.js';
import { oneOf } from '../../test/setup/depth.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { eventually } from '../../test/support/eventually.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { Cli } from '../../test/support/processes/cli.js';
import { Api } from '../../test/support/http/api.js';
import { zipOf } from '../../test/support/live-updates/archives.js';
import { sha256 } from '../../test/support/sha256.js';
import type { TestApp } from '../../test/builders/app.js';
import { createShop, type Shop } from './shop.js';
import { signInAgain, type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { origin } = testEnvironment();

describeInChromium('publishing in the browser', () => {
  let chromium: Chromium;
  let visitor: Visitor;
  let folder: string;

  beforeAll(async () => {
    chromium = await Chromium.start();
    visitor = await visitorOf(chromium, null);
    folder = join(mkdtempSync(join(tmpdir(), 'slipway-console-')), 'dist');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><h1>Hello</h1>');
    writeFileSync(join(folder, 'assets/app.js'), 'console.log("Hello")');
    writeFileSync(join(folder, 'assets/app.js.map'), '{}');
    writeFileSync(join(folder, '.env'), 'PASSWORD=secret');
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main');
  });
  afterAll(async () => {
    await chromium.stop();
    rmSync(join(folder, '..'), { recursive: true });
  });

  it('takes a newcomer from nothing to a device that gets the folder that was dropped', async () => {
    const tenant = await createTenant();
    await givePassword(tenant.owner);
    await visitor.signIn(tenant.owner);
    const { page } = visitor;
    await visitor.visit('/');
    await page.getByRole('button', { name: 'Create app' }).click();
    await page.getByLabel('Name').fill('Courier');
    await page.getByRole('dialog').getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('heading', { name: 'Courier' }).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Drop the folder').waitFor();
    const appId = /\/apps\/([0-9a-f-]+)/.exec(page.url())![1]!;

    const box = (await page.getByText('Drop the folder').boundingBox())!;
    const session = await page.context().newCDPSession(page);
    const at = { x: box.x + 5, y: box.y + 5, data: { items: [], files: [folder], dragOperationsMask: 1 } };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, ...at });
    }
    await page.getByText('.env would be public.').waitFor();
    await page.getByText('A source map would be public.').waitFor();
    await page.getByText('Left out: .git.').waitFor();
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'Leave it out' }).first().click();
    await page.getByText(/2 files.* as zip/).waitFor();
    await page.getByLabel('Name').fill('1.0.0');
    await page.getByLabel('Notes').fill('The first one');
    await page.getByRole('button', { name: 'Publish 1.0.0' }).click();
    // The page of the release, whose link one sends to others.
    await page.getByText('Published to').waitFor();
    await page.getByRole('heading', { name: '1.0.0' }).waitFor();
    await page.getByText('The first one').waitFor();
    await page.getByRole('button', { name: 'Copy link of 1.0.0' }).first().click();
    await page.getByText('Copied').or(page.locator('.copy-field')).first().waitFor();

    const app = { id: appId, path: `/v1/apps/${appId}`, api: new Api(origin, tenant.owner.token) } as TestApp;
    const check = await checkForUpdate(app, { deviceId: 'phone-1' });
    expect(check.status).toBe(200);
    const { url, checksum } = check.body as { url: string; checksum: string };
    const zip = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(sha256(zip)).toBe(checksum);
    expect(zip.includes('index.html')).toBe(true);
    expect(zip.includes('.env')).toBe(false);
    expect(visitor.problems).toEqual([]);
  });

  it('stops before an upload that no device could start', async () => {
    const shop = await createShop();
    await visitor.signIn(shop.tenant.owner);
    await visitor.visit(`/apps/${shop.app.id}/publish?channel=${shop.beta}`);
    await visitor.page.getByLabel('Folder').setInputFiles(join(folder, 'assets'));
    await visitor.page.getByText('There is no index.html at the top.').waitFor();
    const button = visitor.page.getByRole('button', { name: 'Publish', exact: true });
    await expect(button.getAttribute('aria-disabled')).resolves.toBe('true');
    await visitor.page.getByLabel('Zip').setInputFiles(join(folder, 'index.html'));
    await visitor.page.getByText('index.html is no zip.').waitFor();
    expect(visitor.problems).toEqual([]);
  });

  it('is a command, too, which does the same', async () => {
    const shop = await createShop();
    await visitor.signIn(shop.tenant.owner);
    const { page } = visitor;
    const commands = async (): Promise<string[]> => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'As command' }).click();
      const lines = page.getByRole('dialog').locator('pre');
      await lines.first().waitFor();
      return lines.allTextContents();
    };
    await visitor.visit(`/apps/${shop.app.id}/publish?channel=${shop.beta}`);
    await page.getByLabel('Folder').setInputFiles(folder);
    await page.getByLabel('Name').fill('1.0.0');
    await page.getByLabel('Android version code').fill('200');
    await page.getByRole('button', { name: 'A share', exact: true }).click();
    await page.getByRole('button', { name: '25 %', exact: true }).click();
    const [upload = '', naming = '', ...others] = await commands();
    const words = upload.split(' ');
    expect(words.slice(0, 3)).toEqual(['npx', '@capawesome/cli', 'apps:liveupdates:upload']);
    expect(naming).toContain(`/v1/apps/${shop.app.id}/builds/BUILD_ID`);
    expect(naming).toContain('{"displayName":"1.0.0"}');
    expect(others).toEqual([]);

    const cli = await Cli.create(shop.tenant.owner.token);
    await cli.write('dist/index.html', '<h1>Hello</h1>');
    await cli.succeed(...words.slice(2));
    const { body } = await shop.app.api.get(
      `${shop.app.path}/deployments?appChannelId=${shop.beta}&relations=appBuild`,
    );
    expect(body).toMatchObject([
      { rolloutPercentage: 0.25, appBuild: { minAndroidAppVersionCode: '200', minIosAppVersionCode: null } },
    ]);

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^By a plan/ }).click();
    const [withPlan, , plan, start] = await commands();
    expect(withPlan).toContain('--rollout-percentage 0 ');
    expect(plan).toContain('-X PUT');
    expect(plan).toContain('{"steps":[{"percentage":0.1,"durationMinutes":60}');
    expect(start).toContain('/rollout-plan/start');
    expect(visitor.problems).toEqual([]);
  });

  describe('that takes long', () => {
    /** Bytes of a part, and of a zip of two parts: with the first one, 60 % are sent. */
    const PART = 10 * 1024 * 1024;
    const [BYTES, PARTS] = [Math.floor(PART / 0.6), 2];
    let zip: string;
    let shop: Shop;
    let page: Page;
    /** Parts that the server has taken. */
    let taken: number;

    beforeAll(async () => {
      zip = join(folder, '../shop.zip');
      const video = randomBytes(BYTES);
      writeFileSync(zip, await zipOf({ 'index.html': '<h1>Video</h1>', 'video.mp4': video }));
      ({ page } = visitor);
      page.on('response', (response) => {
        if (response.url().includes('mpu-uploadpart') && response.ok()) taken += 1;
      });
    });
    beforeEach(async () => {
      shop = await createShop();
      await page.context().setOffline(false);
      await visitor.signIn(shop.tenant.owner);
      taken = 0;
      await visitor.visit(`/apps/${shop.app.id}/publish?channel=${shop.beta}`);
      await page.getByLabel('Zip').setInputFiles(zip);
      await page.getByText(/shop\.zip 17\.5 MB$/).waitFor();
      await page.getByLabel('Notes').fill('With a video');
    });

    /** What the channel gives to its devices. */
    const releases = async (): Promise<{ notes: string }[]> =>
      (await shop.app.api.get(`${shop.app.path}/deployments?appChannelId=${shop.beta}`)).body as never;

    /** Does something when a part is sent, and lets it go on its way then, or not. */
    const atPart = async (number: number, act: () => Promise<'sent' | 'cut'>): Promise<void> => {
      let parts = 0;
      await page.route('**/*mpu-uploadpart*', async (route) => {
        parts += 1;
        if (parts !== number || (await act()) === 'sent') await route.continue();
        else await route.abort('internetdisconnected');
      });
    };

    it('continues with the part that was cut when the network is back', async () => {
      await atPart(2, async () => {
        await page.context().setOffline(true);
        return 'cut';
      });
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('The network was lost.').waitFor();
      const share = await page.evaluate<number>('document.querySelector("progress").position');
      expect(share).toBeCloseTo(0.6);
      expect({ taken, releases: await releases() }).toEqual({ taken: 1, releases: [] });
      await page.context().setOffline(false);
      await page.getByText(/^Published to/).waitFor();
      await expect(releases()).resolves.toMatchObject([{ notes: 'With a video' }]);
      expect(taken).toBe(PARTS);
      expect(visitor.problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem))).toEqual([]);
    });

    it.each(
      oneOf([
        ['is announced', '**/bundles'],
        ['is sent', '**/*mpu-uploadpart*'],
      ] as const),
    )('leaves nothing behind when it is canceled while it %s', async (_, address) => {
      let arrived: () => void;
      let cancel: () => void;
      const atServer = new Promise<void>((resolve) => (arrived = resolve));
      const canceled = new Promise<void>((resolve) => (cancel = resolve));
      await page.route(address, async (route) => {
        const response = await route.fetch();
        arrived!();
        await canceled;
        await route.fulfill({ response });
      });
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await atServer;
      await page.getByRole('button', { name: 'Cancel the upload' }).click();
      cancel!();
      await page.getByRole('button', { name: 'Cancel the upload' }).waitFor({ state: 'detached' });
      await expect(page.getByLabel('Notes').inputValue()).resolves.toBe('With a video');
      await eventually(async () => {
        const { body } = await shop.app.api.get(`${shop.app.path}/bundles?artifactStatus=pending`);
        expect(body).toEqual([]);
      });
      await expect(releases()).resolves.toEqual([]);
    });

    it('waits for a new sign-in of the same person when the session has ended, and sends no part twice', async () => {
      await atPart(2, async () => {
        await page.context().clearCookies();
        return 'sent';
      });
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('Your session has ended.').waitFor();
      expect(taken).toBe(1);
      await signInAgain(page, shop.tenant.owner);
      await page.getByText(/^Published to/).waitFor();
      await expect(releases()).resolves.toMatchObject([{ notes: 'With a video' }]);
      expect(taken).toBe(PARTS);
      expect(visitor.problems).toEqual([]);
    });

    it('sends nothing for another person who has signed in', async () => {
      const other = await createPerson();
      const summariesRefused = () =>
        page.waitForResponse((response) => response.url().includes('/app-summaries') && !response.ok());
      await page.context().clearCookies();
      // With the page of the sign-in, the browser has a session again, of no person.
      await (await page.context().newPage()).goto(`${origin}/login`);
      await summariesRefused();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await signInAgain(page, other);
      await page.getByText('Another account has signed in in this browser.').waitFor();
      // What the other person may see does not replace what is on the screen when that is read again.
      await summariesRefused();
      await page.waitForResponse((response) => new URL(response.url()).pathname === '/');
      await expect(page.getByLabel('Notes').inputValue()).resolves.toBe('With a video');
      expect(taken).toBe(0);
    });
  });
});
