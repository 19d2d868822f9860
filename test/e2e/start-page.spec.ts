import { createApp, type TestApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { createDeployment, makePending } from '../builders/deployment.js';
import { createMember, createTenant, type Tenant } from '../builders/identities.js';
import { createPerson, givePassword, PASSWORD, signedInBrowser } from '../builders/person.js';
import { createTeam } from '../builders/team.js';
import { testEnvironment } from '../setup/test-environment.js';
import { Browser } from '../support/http/browser.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

const { origin } = testEnvironment();
let tenant: Tenant;
let browser: Browser;

beforeEach(async () => {
  tenant = await createTenant();
  await givePassword(tenant.owner);
  browser = await signedInBrowser(tenant.owner);
});

const htmlOf = async (of = browser): Promise<string> => (await of.open('/')).html;

/** The commands on the page, as a browser copies them. */
function commandsOf(html: string): string {
  const blocks = html.matchAll(/<pre class="copy">([^<]*)<\/pre>/g);
  return [...blocks]
    .map(([, text = '']) => text)
    .join('\n')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', `'`)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

describe('visitors who are not signed in', () => {
  it('are led to the sign-in, and back', async () => {
    const visitor = new Browser();
    expect((await visitor.request('GET', '/')).location).toBe('/login?next=%2F');
    await visitor.open('/');
    const { email } = tenant.owner;
    const values = { ...visitor.hidden('/login'), email, password: PASSWORD };
    expect((await visitor.send('/login', values)).location).toBe('/');
  });
});

describe('without apps', () => {
  it('shows how to create the first one, with the address and the organization', async () => {
    const html = await htmlOf();
    expect(html).toContain('<h1>Welcome to Slipway</h1>');
    const commands = commandsOf(html);
    expect(commands).toContain(`echo 'API_BASE_URL="${origin}"' > .capawesomerc`);
    expect(commands).toContain(`--organization-id ${tenant.organizationId}`);
    expect(html).toContain('href="/docs"');
  });

  it('shows members who cannot create apps no commands', async () => {
    const viewer = await createMember(tenant, 'viewer');
    await givePassword(viewer);
    const html = await htmlOf(await signedInBrowser(viewer));
    expect(html).toContain('An owner or admin of your organization can give you access');
    expect(commandsOf(html)).toBe('');
  });

  it('leads users without an organization to their invitations', async () => {
    const html = await htmlOf(await signedInBrowser(await createPerson()));
    expect(html).toContain('not a member of an organization');
    expect(commandsOf(html)).toBe('');
  });
});

describe('with apps', () => {
  it('shows an app with its channels, their newest deployments, and the commands of an update', async () => {
    const app = await createApp(tenant, { name: 'Shop' });
    const canary = await createChannel(app, { name: 'canary' });
    await createDeployment(app);
    const newest = await createDeployment(app, { rolloutPercentage: 0.125 });
    await app.api.post(`${app.path}/channels/${canary.id}/pause`, {});
    const html = await htmlOf();
    expect(html).toContain(`<code class="copy">${app.id}</code>`);
    expect(html).toMatch(/Build 2 for 12.5% of devices/);
    expect(html).not.toContain('Build 1');
    expect(html).toMatch(/canary\s*<span class="tag warn">paused<\/span>/);
    const commands = commandsOf(html);
    expect(commands).toContain(`--app-id ${app.id}`);
    expect(commands).toContain('--channel default');
    expect(commands).toContain(`"${origin}/v1/apps/${app.id}/bundles/latest?`);
    await makePending(app, newest.id, tenant.owner.userId);
    expect(await htmlOf()).not.toContain('12.5%');
  });

  it('has commands that work', async () => {
    const app = await createApp(tenant);
    const check = /curl "([^"]+)"/.exec(commandsOf(await htmlOf()))?.[1] ?? '';
    await createDeployment(app);
    expect((await fetch(check)).status).toBe(200);
  });

  it('escapes names, and never puts one that a shell would run into a command', async () => {
    const app = await createApp(tenant, { name: '<script>alert("1")</script>' });
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { name: '$(touch owned)' });
    await createChannel(app, { name: '<i>beta</i>' });
    const html = await htmlOf();
    expect(html).not.toMatch(/<script|<i>/);
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(html).toContain('$(touch owned)');
    const commands = commandsOf(html);
    expect(commands).not.toMatch(/touch|<i>/);
    expect(commands).toMatch(/apps:channels:create [^]*--name production/);
  });

  it('shows the newest only', async () => {
    const apps: TestApp[] = [];
    for (let index = 0; index < 8; index++) apps.push(await createApp(tenant));
    for (let index = 0; index < 7; index++) await createChannel(apps[7]!);
    const html = await htmlOf();
    expect(apps.filter(({ id }) => html.includes(`>${id}<`))).toEqual(apps.slice(2));
    expect(html).toContain('The 6 newest of 8 apps');
    expect(html).toContain('and 3 more channels');
  });
});

describe('the visitor sees', () => {
  it('nothing of other organizations', async () => {
    const other = await createApp(await createTenant(), { name: 'Foreign app' });
    await createApp(tenant);
    const html = await htmlOf();
    expect(html).not.toContain(other.id);
    expect(html).not.toContain('Foreign app');
  });

  it('only the apps of their teams, and no commands as a viewer', async () => {
    const app = await createApp(tenant);
    const viewer = await createMember(tenant, 'viewer');
    await givePassword(viewer);
    const visitor = await signedInBrowser(viewer);
    const html = await htmlOf(visitor);
    expect(html).toContain(app.id);
    expect(commandsOf(html)).toBe('');
    await createTeam(tenant);
    expect(await htmlOf(visitor)).not.toContain(app.id);
    expect(await htmlOf()).toContain(app.id);
  });

  it('no apps with the role billing', async () => {
    const app = await createApp(tenant);
    const billing = await createMember(tenant, 'billing');
    await givePassword(billing);
    expect(await htmlOf(await signedInBrowser(billing))).not.toContain(app.id);
  });

  it('nothing of an organization that does not allow their address, or requires a second factor', async () => {
    const app = await createApp(tenant);
    const organization = `UPDATE organizations SET`;
    const { query } = await import('../setup/databases.js');
    const { databaseUrl } = testEnvironment();
    await query(databaseUrl, `${organization} ip_allowlist = '{192.0.2.1}' WHERE id = $1`, [
      tenant.organizationId,
    ]);
    expect(await htmlOf()).not.toContain(app.id);
    await query(
      databaseUrl,
      `${organization} ip_allowlist = NULL, two_factor_required = true WHERE id = $1`,
      [tenant.organizationId],
    );
    const html = await htmlOf();
    expect(html).not.toContain(app.id);
    expect(html).toContain('requires two-factor authentication');
  });
});

it('takes as many statements for many apps as for one', async () => {
  let proxy: DatabaseProxy | undefined;
  const site = await OwnSite.start({}, async (url) => (proxy = await DatabaseProxy.start(url)).url);
  try {
    const own = await createTenant(site);
    await givePassword(own.owner, site);
    const visitor = await signedInBrowser(own.owner, new Browser(site.origin));
    const statements = async (): Promise<number> => {
      const end = proxy!.record();
      await htmlOf(visitor);
      return end().match(/AS "(?:organizationName|deployedAt|totpEnabled)"/g)?.length ?? 0;
    };
    await createApp(own);
    const before = await statements();
    for (let index = 0; index < 5; index++) await createChannel(await createApp(own));
    expect(await statements()).toBe(before);
    expect(before).toBeGreaterThan(2);
  } finally {
    await site.dispose();
    await proxy?.stop();
  }
});
