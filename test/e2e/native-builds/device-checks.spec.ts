import { build, parse } from 'plist';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare } from '../../builders/build-share.js';
import { createTenant } from '../../builders/identities.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { signedMessage, testSigner } from '../../support/native-builds/android/test-signer.js';
import { makeProfile, type ProfileDescription } from '../../support/native-builds/apple/profile.js';
import { importFile } from '../../support/native-builds/imports.js';
import { makeIpa } from '../../support/native-builds/ipa-writer.js';
import { OwnSite } from '../../support/servers/own-site.js';

const PUBLIC = 'https://slipway.example.com';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const PASSWORD = 'four unusual words';
const LINK = 'Check whether this device is in the profile';
const LISTED = 'This device is in the profile.';
const NOT_LISTED = 'This device is not in the profile: iOS will refuse to install.';
const INVALID = 'no valid UDID of a device';

const udidOf = (n: number): string => `00008030-${n.toString(16).toUpperCase().padStart(16, '0')}`;
const UDID = udidOf(1);
const STRANGER = '00008030-00FFEEDDCCBBAA99';

let site: OwnSite;
let app: TestApp;
let anonymous: Api;
beforeAll(async () => {
  site = await OwnSite.start({ PUBLIC_URL: PUBLIC, LOG_LEVEL: 'debug', TRUST_PROXY: 'loopback' });
  app = await createApp(await createTenant(site));
  anonymous = new Api(site.origin, null);
});
afterAll(() => site.dispose());

/** Shares an ipa. @returns the path of its page */
async function share(profile: ProfileDescription = {}, values: object = {}): Promise<string> {
  const { type = 'ad-hoc' } = profile;
  const file = makeProfile({ devices: [UDID], expiresAt: new Date('2099-01-01'), ...profile });
  const ipa = await makeIpa({
    profile: type,
    entries: { 'Payload/App.app/embedded.mobileprovision': file },
  });
  const { id } = await importFile(app, ipa, {
    platform: 'ios',
    artifact: { type: 'ipa', fileName: 'a.ipa' },
  });
  return `/app-build-shares/${(await createBuildShare(app, id, values)).id}`;
}

const get = (path: string, userAgent = IPHONE, address = '198.51.100.1'): Promise<Response> =>
  Promise.resolve(
    anonymous.request('get', path).set('User-Agent', userAgent).set('X-Forwarded-For', address),
  );
const textOf = ({ text }: Response): string => text.replaceAll(/\s+/g, ' ');
/** What the page says to a device. */
async function ask(path: string, udid: string, address?: string): Promise<string> {
  const response = await get(`${path}?udid=${udid}`, IPHONE, address);
  expect([response.status, response.headers['cache-control'], response.headers['referrer-policy']]).toEqual([
    200,
    'no-store',
    'no-referrer',
  ]);
  return textOf(response);
}

/** Where the device of a UDID is led, from the link of a page. */
async function follow(html: string, udid: string): Promise<string> {
  const [, link = ''] = /href="(\/v1\/ios-udid-profile[^"]+)"/.exec(html) ?? [];
  const profile = await anonymous
    .request('get', link.replaceAll('&amp;', '&'))
    .buffer(true)
    .responseType('blob');
  expect(profile.status).toBe(200);
  const { PayloadContent: content } = parse((profile.body as Buffer).toString()) as unknown as {
    PayloadContent: { URL: string; Challenge: string };
  };
  const answer = build({ UDID: udid, PRODUCT: 'iPhone17,1', CHALLENGE: content.Challenge });
  const response = await anonymous
    .request('post', content.URL.replace(PUBLIC, ''))
    .redirects(0)
    .set('Content-Type', 'application/pkcs7-signature')
    .send(signedMessage(Buffer.from(answer), testSigner('iPhone')));
  expect(response.status).toBe(301);
  return String(response.headers['location']);
}

describe('the check of a device', () => {
  it.each(['ad-hoc', 'development'] as const)(
    'leads an iPhone back to the page, which says whether it is in the profile of %s',
    async (type) => {
      const path = await share({ type });
      const html = textOf(await get(path));
      expect(html).toContain(LINK);
      expect(html).not.toContain(LISTED);
      for (const [udid, says, saysNot] of [
        [UDID, LISTED, NOT_LISTED],
        [STRANGER, NOT_LISTED, LISTED],
      ] as const) {
        const location = await follow(html, udid);
        expect(location).toBe(`${PUBLIC}${path}?udid=${udid}`);
        const shown = textOf(await get(location.replace(PUBLIC, '')));
        expect(shown).toContain(says);
        expect(shown).not.toContain(saysNot);
      }
    },
  );

  it('finds each of several hundred devices, in upper and lower case, and nothing like them', async () => {
    const old = 'abcdef0123456789abcdef0123456789abcdef01';
    const devices = [...Array.from({ length: 600 }, (_, n) => udidOf(n + 1)), old];
    const path = await share({ devices });
    for (const udid of [udidOf(1), udidOf(600), udidOf(599).toLowerCase(), old, old.toUpperCase()]) {
      expect(await ask(path, udid)).toContain(LISTED);
    }
    for (const udid of [udidOf(601), UDID.replace('-', ''), UDID.slice(0, -1)]) {
      const html = await ask(path, udid);
      expect(html).toMatch(/is not in the profile|no valid UDID/);
      expect(html).not.toContain(LISTED);
    }
  });

  it('compares only with the profile of this share', async () => {
    const own = await share({ devices: [UDID] });
    const other = await share({ devices: [STRANGER] });
    expect(await ask(own, UDID)).toContain(LISTED);
    expect(await ask(other, UDID)).toContain(NOT_LISTED);
    expect((await get(`/app-build-shares/unknown?udid=${UDID}`)).status).toBe(404);
  });

  it('is not offered elsewhere than on iPhones and iPads, and for profiles without devices', async () => {
    expect(textOf(await get(await share(), LINUX))).not.toContain(LINK);
    for (const profile of [
      { type: 'enterprise' },
      { type: 'app-store' },
      { expiresAt: new Date('2026-02-03') },
    ] as const) {
      const path = await share(profile);
      expect(textOf(await get(path))).not.toContain(LINK);
      expect(await ask(path, UDID)).not.toMatch(/is (not )?in the profile/);
    }
  });

  it.each([
    'udid=',
    'udid=x',
    `udid=${UDID}&udid=${UDID}`,
    `udid[]=${UDID}`,
    `udid[a]=${UDID}`,
    `udid=${'0'.repeat(65)}`,
    'udid=%3Cscript%3Ealert(1)%3C/script%3E0000',
  ])('ignores %s, and says so', async (query) => {
    const shown = await get(`${await share()}?${query}`);
    expect(shown.status).toBe(200);
    const html = textOf(shown);
    expect(html).not.toMatch(/is (not )?in the profile[.:]/);
    expect(html).not.toContain('<script');
    // A query parser may see another parameter in brackets.
    if (!query.includes('[')) expect(html).toContain(INVALID);
  });

  it('ignores a UDID that is far too long, and refuses characters that are none', async () => {
    const path = await share();
    expect(await ask(path, '0'.repeat(5000))).toContain(INVALID);
    for (const hostile of [`${UDID}%00`, '%ff%fe']) {
      expect((await get(`${path}?udid=${hostile}`)).status).toBe(400);
    }
  });

  it('slows down guessing, from one address and from many, and still answers others', async () => {
    const path = await share();
    for (let n = 0; n < 5; n++) expect(await ask(path, udidOf(100 + n))).toContain(NOT_LISTED);
    const refused = await get(`${path}?udid=${udidOf(200)}`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(textOf(refused)).toContain('Too many attempts');
    // The device that is listed has to wait, too: the wait says nothing of it.
    expect((await get(`${path}?udid=${UDID}`)).status).toBe(429);
    expect(await ask(path, UDID, '198.51.100.2')).toContain(LISTED);
    await site.query(`UPDATE sign_in_attempts SET failures = 60, blocked_until = now() + interval '10 minutes'
      WHERE failures >= 5 AND succeeded_at IS NULL`);
    const many = await get(`${path}?udid=${STRANGER}`, IPHONE, '198.51.100.3');
    expect(many.status).toBe(429);
    expect(await ask(await share(), UDID)).toContain(LISTED);
  });

  it('never counts checks of devices that are in the profile', async () => {
    const path = await share();
    for (let n = 0; n < 7; n++) expect(await ask(path, UDID)).toContain(LISTED);
  });
});

describe('the check of a device for a share with a password', () => {
  it('shows the answer after the password, and nothing before', async () => {
    const path = await share({}, { password: PASSWORD });
    for (const [udid, says] of [
      [UDID, LISTED],
      [STRANGER, NOT_LISTED],
    ] as const) {
      const browser = new Browser(site.origin, { 'User-Agent': IPHONE });
      const address = `${path}?udid=${udid}`;
      const locked = await browser.open(address);
      expect(locked.html).not.toMatch(/is (not )?in the profile[.:]/);
      expect(locked.html).toContain('type="password"');
      expect(locked.html).toContain('After the password, the page checks this device.');
      expect(locked.headers.get('referrer-policy')).toBe('strict-origin');
      const wrong = await browser.submit(address, { password: 'something else' });
      expect(wrong.status).toBe(422);
      expect(wrong.html).not.toContain(says);
      const open = await browser.submit(address, { password: PASSWORD });
      expect(open.status).toBe(200);
      expect(open.html.replaceAll(/\s+/g, ' ')).toContain(says);
      expect(open.headers.get('referrer-policy')).toBe('no-referrer');
      expect(open.headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('what is kept of a device', () => {
  it('is nothing, in the database and in the log', async () => {
    const own = '00008030-00ABCDEF12345678';
    const path = await share();
    const location = await follow(textOf(await get(path)), own);
    expect(textOf(await get(location.replace(PUBLIC, '')))).toContain(NOT_LISTED);
    const tables = await site.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      expect(await site.query(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE $1`, [`%${own}%`])).toEqual([]);
    }
    expect(site.server.log.join('\n')).toContain(path);
    expect(site.server.log.join('\n')).not.toContain(own);
  });

  it('is not asked for over http', async () => {
    const path = await share();
    await site.restart({ PUBLIC_URL: 'http://slipway.example.com' });
    anonymous = new Api(site.origin, null);
    expect(textOf(await get(path))).not.toContain(LINK);
    expect(await ask(path, UDID)).not.toMatch(/is (not )?in the profile[.:]/);
  });
});
