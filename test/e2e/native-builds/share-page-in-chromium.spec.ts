import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare } from '../../builders/build-share.js';
import { uploadBundle } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { accessibilityProblems, Chromium, hasChromium } from '../../support/http/chromium.js';
import { pngIcon } from '../../support/native-builds/android/app-description.js';
import { createFinishedBuild, type FinishedFile } from '../../support/native-builds/finished-builds.js';

const PASSWORD = 'four unusual words';
const { origin, databaseUrl } = testEnvironment();
const NAME = 'שלום 🚀 <b>Shop</b> of a name that is rather long, because some are';

const icon = pngIcon();
const apk: FinishedFile = { type: 'apk', details: { versionName: '1.2.3', versionCode: '45', icon } };

const windows = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ].map((viewport) => ({ colorScheme, viewport })),
);

(hasChromium ? describe : describe.skip)('the page of a share in Chromium', () => {
  let app: TestApp;
  let chromium: Chromium;

  beforeAll(async () => {
    app = await createApp();
    chromium = await Chromium.start();
  });
  afterAll(() => chromium.stop());

  const shareOf = async (
    files: FinishedFile[],
    columns: object = {},
    values: object = {},
    of: TestApp = app,
  ): Promise<string> => {
    const { id } = await createFinishedBuild(of, files, { package_version: '1.2.3', ...columns });
    return (await createBuildShare(of, id, values)).url;
  };
  const unlock = async (page: Page, password: string): Promise<void> => {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Open' }).click();
  };
  const locked = (): Promise<string> => shareOf([apk], {}, { password: PASSWORD });

  /** Each state of the page: its address, and what the visitor does there. */
  const states: Readonly<Record<string, () => Promise<[string, ((page: Page) => Promise<void>)?]>>> = {
    'an apk': async () => [await shareOf([apk], { display_name: 'Spring' }, { expiresAt: '2099-01-01' })],
    'names of any script and a long text': async () => {
      const named = await createApp(app.tenant, { name: NAME });
      const description = `<script>alert(1)</script>\n‮שלום‬ 🚀 ${'long'.repeat(200)}`;
      return [await shareOf([{ type: 'apk' }], {}, { description }, named)];
    },
    'a password': async () => [await locked()],
    'a wrong password': async () => [await locked(), (page) => unlock(page, 'another password')],
    'the right password': async () => [await locked(), (page) => unlock(page, PASSWORD)],
    'an aab': async () => [await shareOf([{ ...apk, type: 'aab' }])],
    'an apk and an aab': async () => [await shareOf([{ type: 'aab' }, apk])],
    'an ipa for the App Store': async () => [
      await shareOf([{ type: 'ipa', details: { profileType: 'app-store' } }], {
        platform: 'ios',
        type: 'app-store',
      }),
    ],
    'an ipa for registered devices': async () => [
      await shareOf([{ type: 'ipa', details: { profileType: 'ad-hoc' } }], {
        platform: 'ios',
        type: 'ad-hoc',
      }),
    ],
    'a web build': async () => [(await createBuildShare(app, (await uploadBundle(app)).buildId)).url],
    'deleted files': async () => [await shareOf([])],
    'a share that is not there': () => Promise.resolve([`${origin}/app-build-shares/${randomUUID()}`]),
  };

  it.each(Object.keys(states))('is fit for everyone, with %s', async (name) => {
    const [url, act] = (await states[name]?.()) ?? [''];
    for (const window of windows) {
      const page = await chromium.open(window);
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(url);
      await act?.(page);
      expect(await accessibilityProblems(page)).toEqual([]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(window.viewport.width);
      // Errors of scripts, and what the policy of the page refuses. A status of 4xx is one, too.
      expect(complaints.filter((text) => !text.includes('status of 4'))).toEqual([]);
      expect(requests.filter((address) => !address.startsWith(`${origin}/`))).toEqual([]);
      await page.context().close();
    }
  });

  it('downloads the app, also after the password', async () => {
    for (const [url, act] of [[await shareOf([apk])], [await locked(), PASSWORD]] as const) {
      const page = await chromium.open();
      await page.goto(url);
      if (act !== undefined) await unlock(page, act);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: /^Download for Android/ }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('app.apk');
      expect(await download.failure()).toBeNull();
      expect(page.url()).toBe(url);
      await page.context().close();
    }
  });

  it('shows the icon', async () => {
    const page = await chromium.open();
    await page.goto(await locked());
    await unlock(page, PASSWORD);
    await page.locator('img.app-icon').waitFor();
    await page.waitForLoadState('load');
    const width = await page.evaluate<number>(`document.querySelector('img.app-icon').naturalWidth`);
    expect(width).toBeGreaterThan(0);
    await page.context().close();
  });

  it('shows nothing of a share that ended meanwhile, after the password', async () => {
    const url = await locked();
    const page = await chromium.open();
    await page.goto(url);
    await query(databaseUrl, 'DELETE FROM build_shares WHERE id = $1', [url.split('/').at(-1)]);
    await unlock(page, PASSWORD);
    await page.getByRole('heading', { name: 'There is nothing here any more' }).waitFor();
    await page.context().close();
  });
});
