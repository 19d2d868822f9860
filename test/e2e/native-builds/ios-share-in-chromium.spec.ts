import type { Page } from 'playwright-core';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare } from '../../builders/build-share.js';
import { createTenant } from '../../builders/identities.js';
import { accessibilityProblems, Chromium, hasChromium } from '../../support/http/chromium.js';
import { pngIcon } from '../../support/native-builds/android/app-description.js';
import { createFinishedBuild, type FinishedFile } from '../../support/native-builds/finished-builds.js';
import { importFile } from '../../support/native-builds/imports.js';
import { makeIpa } from '../../support/native-builds/ipa-writer.js';
import { OwnSite } from '../../support/servers/own-site.js';

const PUBLIC = 'https://slipway.example.com';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15';

type Details = NonNullable<FinishedFile['details']>;
const windows = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, viewport: { width: 390, height: 844 }, userAgent: IPHONE },
  { colorScheme, viewport: { width: 820, height: 1180 }, userAgent: MAC },
  { colorScheme, viewport: { width: 1280, height: 800 } },
]);

(hasChromium ? describe : describe.skip)('the page of an ipa in Chromium', () => {
  let site: OwnSite;
  let app: TestApp;
  let chromium: Chromium;

  beforeAll(async () => {
    site = await OwnSite.start({ PUBLIC_URL: PUBLIC });
    app = await createApp(await createTenant(site));
    chromium = await Chromium.start();
  });
  afterAll(async () => {
    await chromium.stop();
    await site.dispose();
  });

  const share = async (details: Details, type = 'ad-hoc'): Promise<string> => {
    const columns = { platform: 'ios', type, package_version: '2.1' };
    const { id } = await createFinishedBuild(app, [{ type: 'ipa', details }], columns, 'succeeded', site);
    return `${site.origin}/app-build-shares/${(await createBuildShare(app, id)).id}`;
  };
  const adHoc: Details = {
    profileType: 'ad-hoc',
    deviceCount: 12,
    expiresAt: '2099-01-01T00:00:00Z',
    versionName: '2.1',
    icon: pngIcon(120),
  };
  const states: Readonly<Record<string, Details>> = {
    'registered devices': adHoc,
    development: { ...adHoc, profileType: 'development', deviceCount: 1 },
    'an organization': { ...adHoc, profileType: 'enterprise' },
    'the App Store': { ...adHoc, profileType: 'app-store' },
    'a profile that expired': { ...adHoc, expiresAt: '2026-01-01T00:00:00Z' },
  };
  const checks: Readonly<Record<string, string>> = {
    'a device that is in the profile': '00008030-001A2D8E0C41802E',
    'a device that is not': '00008030-00FFEEDDCCBBAA99',
    'a UDID that is none': 'x',
  };
  const show = async (page: Page): Promise<void> => {
    const help = page.locator('summary');
    if ((await help.count()) > 0) await help.first().click();
  };

  it.each(Object.keys(states))('is fit for everyone, for %s', async (name) => {
    await expectFit(await share(states[name] ?? adHoc));
  });

  it.each(Object.keys(checks))('is fit for everyone, after the check of %s', async (name) => {
    const ipa = await makeIpa({ expiresAt: new Date('2099-01-01') });
    const artifact = { type: 'ipa', fileName: 'App.ipa' };
    const { id } = await importFile(app, ipa, { platform: 'ios', artifact });
    const { id: shareId } = await createBuildShare(app, id);
    await expectFit(`${site.origin}/app-build-shares/${shareId}?udid=${checks[name] ?? ''}`);
  });

  async function expectFit(url: string): Promise<void> {
    for (const window of windows) {
      const page = await chromium.open(window);
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(url);
      await show(page);
      expect(await accessibilityProblems(page)).toEqual([]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(window.viewport.width);
      expect(complaints).toEqual([]);
      expect(requests.filter((address) => !address.startsWith(`${site.origin}/`))).toEqual([]);
      await page.context().close();
    }
  }

  it('has a button on iPhones that asks the device to install', async () => {
    const page = await chromium.open({ userAgent: IPHONE });
    await page.goto(await share(adHoc));
    const address = await page.getByRole('link', { name: 'Install on this device' }).getAttribute('href');
    expect(address).toMatch(
      /^itms-services:\/\/\?action=download-manifest&url=https%3A%2F%2Fslipway\.example\.com/,
    );
    await page.context().close();
  });
});
