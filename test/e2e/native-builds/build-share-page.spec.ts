import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBuildShare, type TestShare } from '../../builders/build-share.js';
import { createPerson, signedInBrowser } from '../../builders/person.js';
import { uploadBundle } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { Browser, type Shown } from '../../support/http/browser.js';
import { createFinishedBuild, type FinishedFile } from '../../support/native-builds/finished-builds.js';

const PASSWORD = 'four unusual words';
const POLICY =
  "default-src 'none';style-src 'self';img-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'";
const { origin, databaseUrl } = testEnvironment();

let app: TestApp;
beforeAll(async () => {
  app = await createApp();
});

const pathOf = ({ id }: Pick<TestShare, 'id'>): string => `/app-build-shares/${id}`;
const open = (share: Pick<TestShare, 'id'>, browser = new Browser()): Promise<Shown> =>
  browser.open(pathOf(share));

async function share(values: object = {}, files?: FinishedFile[], columns?: object): Promise<TestShare> {
  const { id } = await createFinishedBuild(app, files, { ...columns });
  return createBuildShare(app, id, values);
}

/** A browser that was asked for the password. */
async function lockedPage(
  values: object = {},
): Promise<{ browser: Browser; locked: TestShare; shown: Shown }> {
  const locked = await share({ password: PASSWORD, ...values });
  const browser = new Browser();
  return { browser, locked, shown: await open(locked, browser) };
}

/** The address of a link on a page. */
function linkOf(html: string, text: string): string {
  const link = [...html.matchAll(/<a\s[^>]*href="([^"]+)"[^>]*>([^<]*)</g)].find(([, , label]) =>
    label?.trim().startsWith(text),
  );
  if (link?.[1] === undefined) throw new Error(`The page has no link ${text}.`);
  return link[1].replaceAll('&amp;', '&');
}

describe('the page of a share', () => {
  it('opens without a sign-in, with strict headers, and loads nothing from elsewhere', async () => {
    const shown = await open(await share());
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-security-policy')).toBe(POLICY);
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('x-frame-options')).toBe('DENY');
    expect(shown.html).toContain('<meta name="robots" content="noindex" />');
    expect(shown.html).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
    const addresses = [...shown.html.matchAll(/(?:src|href|action)="([^"]+)"/g)].map(
      ([, address]) => address,
    );
    expect(addresses.filter((address) => !address?.startsWith('/'))).toEqual([]);
  });

  it('shows the app, its version, its build, its end and a QR code', async () => {
    const details = { versionName: '1.2.3', versionCode: '45', icon: true };
    const columns = { package_version: '1.2.3', display_name: 'Spring' };
    const values = { description: 'For the testers', expiresAt: '2099-01-02T03:04:05Z' };
    const { html } = await open(await share(values, [{ type: 'apk', details }], columns));
    for (const text of ['Shop', 'Spring', '1.2.3 (45)', '2 Jan 2099, 03:04 UTC', 'For the testers', '<svg']) {
      expect(html).toContain(text);
    }
    expect(html).toMatch(/\d+ \(release\)/);
    expect(html).toMatch(/<img\s[^>]*class="app-icon"/);
  });

  it('offers the download of an apk, which works', async () => {
    const { html } = await open(await share());
    const file = await new Browser().request('GET', linkOf(html, 'Download for Android'));
    expect(file.status).toBe(200);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename=app.apk');
  });

  it('names the files of several apks', async () => {
    const { html } = await open(
      await share({}, [
        { type: 'apk', fileName: 'free.apk' },
        { type: 'apk', fileName: 'paid.apk' },
      ]),
    );
    expect(linkOf(html, 'Download for Android: free.apk')).not.toBe(
      linkOf(html, 'Download for Android: paid.apk'),
    );
  });

  const ios = { platform: 'ios', type: 'app-store' };
  it.each<[string, FinishedFile[], object, RegExp, RegExp]>([
    ['an aab', [{ type: 'aab' }], {}, /\(aab\) cannot be installed on a device/, /Download for Android/],
    [
      'an ipa of the App Store',
      [{ type: 'ipa', details: { profileType: 'app-store' } }],
      ios,
      /signed for the App Store, so it cannot be installed from here/,
      /itms-services/,
    ],
    [
      'another ipa, without https',
      [{ type: 'ipa', details: { profileType: 'ad-hoc' } }],
      { ...ios, type: 'ad-hoc' },
      /install apps from a page only if its address begins with https/,
      /itms-services/,
    ],
    ['deleted files', [], {}, /The files of this build were deleted/, /Download/],
    ['symbols alone', [{ type: 'zip' }], {}, /The files of this build were deleted/, /Download/],
  ])('says what cannot be installed, with %s', async (_what, files, columns, says, lacks) => {
    const { html } = await open(await share({}, files, columns));
    expect(html.replaceAll(/\s+/g, ' ')).toMatch(says);
    expect(html).not.toMatch(lacks);
  });

  it('shows name and QR code alone of a web build', async () => {
    const { buildId } = await uploadBundle(app);
    const { html } = await open(await createBuildShare(app, buildId));
    expect(html).toContain('This is a web build.');
    expect(html).toContain('<svg');
    expect(html).not.toMatch(/download|<dl>/);
  });

  it('shows texts as they are, whatever they contain', async () => {
    const hostile = await createApp(app.tenant, { name: '<img src=x onerror=alert(1)>' });
    const { id } = await createFinishedBuild(
      hostile,
      [{ type: 'apk', fileName: '"><script>1</script>.apk' }],
      {
        display_name: '<script>alert(2)</script>',
        package_version: '"><b>',
        type: "'><i>",
      },
    );
    const description = '</p><script>alert(3)</script>\n\u05e9\u05dc\u05d5\u05dd \u{1F680} {{7*7}}';
    const { html } = await open(await createBuildShare(hostile, id, { description }));
    expect(html).not.toMatch(/<script|<img src=x|"><b>|'><i>/);
    expect(html).toContain(
      '&lt;/p&gt;&lt;script&gt;alert(3)&lt;/script&gt;\n\u05e9\u05dc\u05d5\u05dd \u{1F680} {{7*7}}',
    );
    expect(html).toContain('dir="auto"');
  });

  it('asks for https where the server is reached without, but on the own machine', async () => {
    const at = (host: string): Promise<{ text: string }> =>
      Promise.resolve(new Api(origin, null).request('get', path).set('Host', host));
    const path = pathOf(await share());
    for (const host of ['slipway.example.com', '192.168.0.5:3000', 'localhost.example.com']) {
      expect((await at(host)).text).toContain('This page is not encrypted');
    }
    for (const host of ['localhost:3000', '127.0.0.1', 'app.localhost', '[::1]:3000']) {
      expect((await at(host)).text).not.toContain('This page is not encrypted');
    }
  });

  it('lets visitors who have signed in sign out', async () => {
    const browser = await signedInBrowser(await createPerson());
    const shown = await open(await share(), browser);
    // Browsers hide the origin of forms under no-referrer, and the server requires it.
    expect(shown.headers.get('referrer-policy')).toBe('same-origin');
    expect((await browser.submit('/logout')).status).toBe(200);
    expect((await open(await share(), browser)).status).toBe(200);
  });
});

describe('a share that is not there', () => {
  it('has one page, whatever the reason', async () => {
    const [expired, deleted] = [await share(), await share({ password: PASSWORD })];
    await query(
      databaseUrl,
      `UPDATE build_shares SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [expired.id],
    );
    await query(databaseUrl, 'DELETE FROM build_shares WHERE id = $1', [deleted.id]);
    const pages = [];
    for (const id of [
      expired.id,
      deleted.id,
      randomUUID(),
      'unknown',
      '%00',
      '..%2f..%2fetc',
      'x'.repeat(3000),
    ]) {
      const { status, html, headers } = await open({ id });
      if (id === '%00') {
        expect(status).toBe(400);
        continue;
      }
      expect(status).toBe(404);
      // Such a path leads to no page at all.
      if (id === '..%2f..%2fetc') continue;
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      pages.push(html);
    }
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain('There is nothing here any more');
  });

  it('takes no password', async () => {
    const { browser, locked } = await lockedPage();
    await query(databaseUrl, 'DELETE FROM build_shares WHERE id = $1', [locked.id]);
    expect((await browser.submit(pathOf(locked), { password: PASSWORD })).status).toBe(404);
  });
});

describe('the page of a share with a password', () => {
  it('shows nothing but the form', async () => {
    const { shown } = await lockedPage({ description: 'For the testers' });
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('This page has a password');
    for (const text of ['Shop', 'For the testers', 'Download', '<svg'])
      expect(shown.html).not.toContain(text);
  });

  it('opens with the password, and not with another one', async () => {
    const { browser, locked } = await lockedPage();
    const wrong = await browser.submit(pathOf(locked), { password: 'another password' });
    expect([wrong.status, wrong.html.includes('That is not the password')]).toEqual([422, true]);
    expect(wrong.html).not.toContain('Shop');
    const shown = await browser.submit(pathOf(locked), { password: PASSWORD });
    expect(shown.status).toBe(200);
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    const link = linkOf(shown.html, 'Download for Android');
    expect((await new Browser().request('GET', link)).status).toBe(200);
    await app.api.patch(
      `${app.path}/builds/${(locked as unknown as { appBuildId: string }).appBuildId}/shares/${locked.id}`,
      { password: 'another password' },
    );
    expect((await new Browser().request('GET', link)).status).toBe(403);
  });

  it('takes forms of its own page only', async () => {
    const { browser, locked } = await lockedPage();
    const send = (values: Record<string, string>, headers: Record<string, string> = {}): Promise<Shown> =>
      browser.request(
        'POST',
        pathOf(locked),
        { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin, ...headers },
        new URLSearchParams(values).toString(),
      );
    const fields = { ...browser.hidden(pathOf(locked)), password: PASSWORD };
    expect((await send({ password: PASSWORD })).status).toBe(403);
    expect((await send({ ...fields, csrf: 'x' })).status).toBe(403);
    expect((await send(fields, { Origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await send(fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await send(fields)).status).toBe(200);
  });

  it('slows down guessing, together with the API', async () => {
    const { browser, locked } = await lockedPage();
    const api = new Api(origin, null);
    for (let n = 0; n < 3; n++) await browser.submit(pathOf(locked), { password: `wrong ${n}` });
    for (let n = 0; n < 3; n++) {
      await api.post(`/v1/app-build-shares/${locked.id}/unlock`, { password: `wrong ${n}` });
    }
    const limited = await browser.submit(pathOf(locked), { password: PASSWORD });
    expect([limited.status, limited.html.includes('Too many attempts.')]).toEqual([429, true]);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(limited.html).not.toContain('Shop');
  });

  it.each<[string, string]>([
    ['two passwords', 'password=a&password=b'],
    ['a long one', `password=${'x'.repeat(2000)}`],
  ])('refuses %s as a wrong form', async (_what, body) => {
    const { browser, locked } = await lockedPage();
    const { csrf = '' } = browser.hidden(pathOf(locked));
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin };
    const sent = await browser.request(
      'POST',
      pathOf(locked),
      headers,
      `${body}&csrf=${encodeURIComponent(csrf)}`,
    );
    expect(sent.status).toBe(400);
  });
});
