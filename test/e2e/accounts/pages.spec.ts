import type { Actor } from '../../builders/identities.js';
import { createPerson, signedInBrowser } from '../../builders/person.js';
import { startServer } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { expectError } from '../../support/http/expect-error.js';

const anonymous = new Api(testEnvironment().origin, null);
let person: Actor;
let browser: Browser;
beforeAll(async () => {
  person = await createPerson();
  browser = await signedInBrowser(person);
});

describe('every page', () => {
  const pages = [
    '/login/forgot',
    '/login/device',
    '/login/confirm',
    '/settings/tokens',
    '/settings/sessions',
    '/settings/password',
    '/settings/two-factor',
    '/settings/invitations',
  ];

  it.each(pages)('%s has strict headers and nothing inline', async (path) => {
    const { headers, html, status } = await browser.open(path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';style-src 'self';img-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    // Browsers warn of these two over plain http.
    expect(headers.get('cross-origin-opener-policy')).toBeNull();
    expect(headers.get('origin-agent-cluster')).toBeNull();
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
    expect(html).toMatch(/^<!doctype html>\s*<html lang="en">/);
  });

  it('is not part of the API document', async () => {
    const { body } = await anonymous.request('get', '/docs-json');
    expect(
      Object.keys((body as { paths: object }).paths).filter((path) => !/^\/(v1|health)\//.test(path)),
    ).toEqual([]);
  });

  it.each(pages.slice(1))('%s asks visitors to sign in', async (path) => {
    const visitor = new Browser();
    const next = path === '/login/confirm' ? '/' : path;
    expect((await visitor.request('GET', path)).location).toBe(`/login?next=${encodeURIComponent(next)}`);
  });

  it('has a stylesheet that browsers may keep', async () => {
    const { html } = await browser.open('/login');
    const href = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? '';
    const { headers } = await browser.request('GET', href);
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });
});

describe('the cookie', () => {
  it('is kept from scripts and from other sites', async () => {
    const { setCookie } = await new Browser().request('GET', '/login');
    expect(setCookie).toMatch(/^slipway=anon_[\w-]{22}; Max-Age=7776000; Path=\/; .*HttpOnly; SameSite=Lax$/);
  });

  it('is for https and for this host alone where PUBLIC_URL says https', async () => {
    const { databaseUrl, dataDir } = testEnvironment();
    const server = await startServer({
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PUBLIC_URL: 'https://slipway.example.com',
    });
    try {
      const visitor = new Browser(server.origin);
      const { setCookie } = await visitor.request('GET', '/login');
      expect(setCookie).toMatch(
        /^__Host-slipway=anon_[\w-]{22}; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(setCookie).not.toMatch(/Domain/i);
      await visitor.open('/login');
      const form = { ...visitor.hidden('/login'), email: person.email, password: 'wrong password' };
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(form).toString();
      const own = { ...type, Origin: 'https://slipway.example.com', 'Sec-Fetch-Site': 'same-origin' };
      expect((await visitor.request('POST', '/login', own, body)).status).toBe(422);
      const foreign = { ...type, Origin: 'https://slipway.example.com.evil.example' };
      expect((await visitor.request('POST', '/login', foreign, body)).status).toBe(403);
    } finally {
      await server.stop();
    }
  });
});

describe('a form', () => {
  const create = { name: 'Forged', expires: '30' };

  it('is refused without the token of the session, or with that of another', async () => {
    const other = await signedInBrowser(await createPerson());
    await other.open('/settings/tokens');
    const { csrf: foreign = '' } = other.hidden('/settings/tokens');
    await browser.open('/settings/tokens');
    const { csrf: own = '' } = browser.hidden('/settings/tokens');
    for (const csrf of ['', foreign, own.slice(0, -1), `${own}A`]) {
      expect((await browser.send('/settings/tokens', { ...create, csrf })).status).toBe(403);
    }
    expect((await browser.send('/settings/tokens', create)).status).toBe(403);
    expect((await browser.open('/settings/tokens')).html).not.toContain('Forged');
    const stolen = new Browser();
    expect((await stolen.send('/settings/tokens', { ...create, csrf: own })).status).toBe(403);
  });

  it.each<[string, Record<string, string>]>([
    ['another site says the browser', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling host', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://evil.example' }],
    ['a hidden origin', { Origin: 'null' }],
  ])('is refused when it comes from %s', async (_what, headers) => {
    await browser.open('/settings/tokens');
    const body = new URLSearchParams({ ...browser.hidden('/settings/tokens'), ...create }).toString();
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status, html } = await browser.request('POST', '/settings/tokens', { ...type, ...headers }, body);
    expect(status).toBe(403);
    expect(html).toContain('another site');
  });

  it('takes form bodies only, and the API takes none', async () => {
    await browser.open('/settings/tokens');
    const json = JSON.stringify({ ...browser.hidden('/settings/tokens'), ...create });
    const type = { 'Content-Type': 'application/json' };
    expect((await browser.request('POST', '/settings/tokens', type, json)).status).toBe(415);
    const request = person.api.request('post', '/v1/organizations').type('form').send({ name: 'Form' });
    expectError(await request, 415, 'unsupported_media_type');
  });

  it('is refused when it is too large, or has a field twice', async () => {
    await browser.open('/settings/tokens');
    const hidden = browser.hidden('/settings/tokens');
    expect((await browser.send('/settings/tokens', { ...hidden, name: 'x'.repeat(20_000) })).status).toBe(
      413,
    );
    const body = `${new URLSearchParams(hidden).toString()}&name=a&name=b`;
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await browser.request('POST', '/settings/tokens', type, body)).status).toBe(400);
  });
});
