import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestApp } from '../builders/app.js';
import { PASSWORD } from '../builders/person.js';
import { enableTwoFactor } from '../builders/two-factor.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { Browser } from '../support/http/browser.js';
import { expectCreated } from '../support/http/expect-created.js';
import { startBuild } from '../support/native-builds/leases.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { pathOf } from '../support/organizations/invitations.js';
import { webProject } from '../support/runners/web-project.js';
import { newDataDir, startInstallation, type StartedServer } from '../support/servers/started-server.js';

/* The first hour of an installation, by the commands, pages and requests of its people alone. */

const PERSON = 'grace@example.com';
const TOKENS = '/settings/tokens';

/** Runs `slipway <…args>` beside the server. @returns what it prints on standard output */
async function command(server: StartedServer, ...args: string[]): Promise<string> {
  const main = join(import.meta.dirname, '../../dist/slipway.js');
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: server.dataDir,
    PUBLIC_URL: server.origin,
    LOG_LEVEL: 'warn',
  };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env });
  return stdout.trim();
}

/** Opens the link of `slipway user create` and sets a password. */
async function firstSignIn(server: StartedServer, email: string): Promise<Browser> {
  const browser = new Browser(server.origin);
  await browser.open(pathOf(await command(server, 'user', 'create', '--email', email)));
  const shown = await browser.submit('/login/link', { password: PASSWORD, repeated: PASSWORD });
  expect(shown.html).toContain(email);
  return browser;
}

/** Creates a token on the page that can only build one app, and ends within a month. */
async function narrowToken(browser: Browser, appId: string): Promise<string> {
  await browser.open(TOKENS);
  const fields = [
    ...Object.entries(browser.hidden(TOKENS)),
    ['name', 'Builds'],
    ['expires', '30'],
    ['access', 'list'],
    ...['apps:read', 'builds:read', 'builds:write'].map((permission) => ['permissions', permission]),
    ['appIds', appId],
  ] as [string, string][];
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: browser.origin };
  const shown = await browser.request('POST', TOKENS, headers, new URLSearchParams(fields).toString());
  const [, token] = /class="secret">(ca_[0-9a-f]{48})</.exec(shown.html) ?? [];
  if (token === undefined) throw new Error(shown.html);
  return token;
}

it('takes a second person from an invitation to a build, and out again', async () => {
  const server = await startInstallation(await newDataDir());
  if (server.output.includes('There is no built-in runner')) {
    process.stderr.write('Skipped: this machine has no sandbox.\n');
    return;
  }
  await server.waitForRunner();
  const admin = await server.api();

  // The first user signs in, and requires a second factor of everyone.
  const { email } = (await admin.get('/v1/users/me')).body as { email: string };
  await enableTwoFactor(await firstSignIn(server, email));
  const [{ id: organizationId }] = (await admin.get('/v1/organizations')).body as [{ id: string }];
  const organization = `/v1/organizations/${organizationId}`;
  expect((await admin.patch(organization, { twoFactorRequired: true })).status).toBe(200);
  const { id: appId } = expectCreated<{ id: string }>(
    await admin.post(`/v1/apps?organizationId=${organizationId}`, { name: 'Shop' }),
  );

  // The second person joins on the page, and gets no further without the second factor.
  const { link } = expectCreated<{ link: string }>(
    await admin.post(`${organization}/invitations`, { email: PERSON, role: 'admin' }),
  );
  const browser = new Browser(server.origin);
  await browser.open(pathOf(link));
  const joined = await browser.submit('/join', { password: PASSWORD, repeated: PASSWORD });
  expect(joined.html).toContain('Two-factor authentication');
  expect((await browser.open(TOKENS)).html).not.toContain('Shop');
  await enableTwoFactor(browser);
  expect((await browser.open(TOKENS)).html).toContain('Shop');

  // A token that can build this app and nothing else.
  const builder = new Api(server.origin, await narrowToken(browser, appId));
  const app = { id: appId, path: `/v1/apps/${appId}`, api: builder } as TestApp;
  const build = await startBuild(app, {
    appBuildSourceId: await uploadSource(app, webProject(appId, { text: 'By Grace' })),
  });
  await eventually(async () => {
    expect((await builder.get(`/v1/jobs/${build.jobId}`)).body).toMatchObject({ status: 'succeeded' });
  });
  expect((await builder.patch(app.path, { name: 'Mine' })).body).toMatchObject({ code: 'token_limited' });
  expect((await builder.get(`${organization}/members`)).status).toBe(403);

  // Disabled: neither the token nor the browser works any more. The last owner cannot be disabled.
  await command(server, 'user', 'disable', '--email', PERSON);
  expect((await builder.get(app.path)).status).toBe(401);
  expect((await browser.open(TOKENS)).html).toContain('action="/login"');
  expect(await command(server, 'user', 'list')).toMatch(
    new RegExp(`^${PERSON} .* \\d{4}-\\d\\d-\\d\\d `, 'm'),
  );
  await expect(command(server, 'user', 'disable', '--email', email)).rejects.toThrow('owner');
});
