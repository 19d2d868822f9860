import { parse } from 'plist';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare, type TestShare } from '../../builders/build-share.js';
import { createTenant } from '../../builders/identities.js';
import { Api } from '../../support/http/api.js';
import {
  createFinishedBuild,
  type FinishedBuild,
  type FinishedFile,
} from '../../support/native-builds/finished-builds.js';
import { OwnSite } from '../../support/servers/own-site.js';

const PUBLIC = 'https://slipway.example.com';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const PASSWORD = 'four unusual words';

let site: OwnSite;
let app: TestApp;
let anonymous: Api;
beforeAll(async () => {
  site = await OwnSite.start({ PUBLIC_URL: PUBLIC });
  app = await createApp(await createTenant(site));
  anonymous = new Api(site.origin, null);
});
afterAll(() => site.dispose());

type Details = NonNullable<FinishedFile['details']>;
const later = '2099-01-02T03:04:05.000Z';

async function share(
  details: Details | undefined,
  values: object = {},
): Promise<{ build: FinishedBuild; shared: TestShare }> {
  const file: FinishedFile = { type: 'ipa', ...(details === undefined ? {} : { details }) };
  const columns = { platform: 'ios', type: details?.profileType ?? 'ad-hoc' };
  const build = await createFinishedBuild(app, [file], columns, 'succeeded', site);
  return { build, shared: await createBuildShare(app, build.id, values) };
}

/** The page as a browser shows it, in one line. */
async function open({ id }: TestShare, userAgent = IPHONE): Promise<string> {
  const response = await anonymous.request('get', `/app-build-shares/${id}`).set('User-Agent', userAgent);
  expect(response.status).toBe(200);
  return response.text.replaceAll(/\s+/g, ' ');
}
function installLink(html: string): string {
  const [, link = ''] = /href="(itms-services:[^"]+)"/.exec(html) ?? [];
  return link.replaceAll('&amp;', '&');
}
/** The address of the manifest in an address that installs. */
const manifestOf = (link: string): URL => new URL(new URL(link).searchParams.get('url') ?? '');
const atServer = (url: URL | string): string => String(url).replace(PUBLIC, '');

const adHoc: Details = {
  profileType: 'ad-hoc',
  expiresAt: later,
  deviceCount: 12,
  label: 'L\u00e4den & \u{1F6D2}',
  versionName: '2.1',
  versionCode: '45',
};

describe('the page of an ipa that devices install', () => {
  it.each(['ad-hoc', 'development', 'enterprise'])(
    'installs with %s, by a manifest that devices read',
    async (profileType) => {
      const { build, shared } = await share({ ...adHoc, profileType });
      const link = installLink(await open(shared));
      expect(link).toMatch(
        /^itms-services:\/\/\?action=download-manifest&url=https%3A%2F%2Fslipway\.example\.com%2F/,
      );
      const url = manifestOf(link);
      expect(url.origin).toBe(PUBLIC);
      const manifest = await anonymous.get(atServer(url));
      expect(manifest.status).toBe(200);
      const { items } = parse(manifest.text) as unknown as {
        items: { assets: { url: string }[]; metadata: object }[];
      };
      expect(items[0]?.metadata).toEqual({
        'bundle-identifier': 'com.example.app',
        'bundle-version': '2.1',
        kind: 'software',
        title: 'L\u00e4den & \u{1F6D2}',
      });
      const ipa = new URL(items[0]?.assets[0]?.url ?? '');
      expect(ipa.origin).toBe(PUBLIC);
      const file = await anonymous.request('get', atServer(ipa)).buffer(true).responseType('blob');
      expect((file.body as Buffer).equals(build.bytes)).toBe(true);
    },
  );

  it.each([
    ['without a password', {}],
    ['with a password', { password: PASSWORD }],
  ])('has addresses that work for 15 minutes and end with the share, %s', async (_what, values) => {
    const { build, shared } = await share(adHoc, values);
    const unlocked = await anonymous.post(`/v1/app-build-shares/${shared.id}/unlock`, { password: PASSWORD });
    const [file] = (unlocked.body as { artifacts: { installUrl: string }[] }).artifacts;
    const url = manifestOf(file?.installUrl ?? '');
    const ipa = new URL(url.searchParams.get('url') ?? '');
    const left = Number(ipa.searchParams.get('expiresAt')) - Date.now();
    expect(left).toBeGreaterThan(14 * 60_000);
    expect(left).toBeLessThanOrEqual(15 * 60_000 + 1000);
    expect((await anonymous.get(atServer(url))).status).toBe(200);
    const older = new URL(ipa);
    older.searchParams.set('expiresAt', String(Date.now() - 1));
    expect((await anonymous.get(atServer(older))).status).toBe(403);
    await app.api.delete(`${build.path}/shares/${shared.id}`);
    expect((await anonymous.get(atServer(url))).status).toBe(400);
    expect((await anonymous.get(atServer(ipa))).status).toBe(404);
  });

  it('offers the button on iPhones and iPads, and the QR code elsewhere', async () => {
    const { shared } = await share(adHoc);
    expect(await open(shared)).toContain('Install on this device');
    const mac = await open(shared, MAC);
    expect(mac).toContain('Install on this iPad');
    expect(mac).toContain('On a Mac, open this page on the iPhone or iPad instead');
    for (const other of [LINUX, 'x']) {
      const html = await open(shared, other);
      expect(html).toContain('open this page on the iPhone or iPad, in Safari');
      expect(installLink(html)).toBe('');
    }
  });

  it.each<[string, Details, RegExp]>([
    [
      'the number of its devices',
      adHoc,
      /installs this app only on the 12 devices in its provisioning profile/,
    ],
    ['its one device', { ...adHoc, deviceCount: 1 }, /only on the one device in its/],
    ['no number that is not known', { profileType: 'ad-hoc' }, /only on the devices in its/],
    ['the organization', { profileType: 'enterprise' }, /the devices of the organization that signed it/],
    ['what to do when a device is missing', adHoc, /integrity could not be verified/],
    ['Developer Mode', { ...adHoc, profileType: 'development' }, /Developer Mode/],
    ['how to trust an organization', { profileType: 'enterprise' }, /VPN &amp; Device Management/],
  ])('says %s', async (_what, details, says) => {
    expect(await open((await share(details)).shared)).toMatch(says);
  });

  it('keeps its address whole with long and strange texts', async () => {
    const label = `${'\u{1F6D2}'.repeat(130)}&url=https://evil.example.com`;
    const { shared } = await share({ ...adHoc, label, versionName: 'v'.repeat(300) });
    const url = manifestOf(installLink(await open(shared)));
    expect([...url.searchParams.keys()]).toEqual(['url', 'displayName', 'packageName', 'packageVersion']);
    expect((await anonymous.get(atServer(url))).status).toBe(200);
  });
});

describe('the page of an ipa that devices do not install', () => {
  it.each<[string, Details | undefined, RegExp]>([
    ['for the App Store', { profileType: 'app-store' }, /signed for the App Store.*TestFlight/],
    [
      'with an expired profile',
      { profileType: 'ad-hoc', expiresAt: '2026-02-03T04:05:06Z' },
      /expired on 3 Feb 2026, 04:05 UTC/,
    ],
    ['without a profile', {}, /has no provisioning profile/],
    ['for Apple TV', { profileType: 'ad-hoc', applePlatform: 'tvos' }, /not for iPhones and iPads/],
    ['that was not read', undefined, /is not known/],
  ])('%s says why', async (_what, details, says) => {
    const { shared } = await share(details);
    const html = await open(shared);
    expect(html).toMatch(says);
    expect(installLink(html)).toBe('');
    const { body } = await anonymous.get(`/v1/app-build-shares/${shared.id}`);
    expect(body).toMatchObject({ artifacts: [{ installUrl: null }] });
  });
});
