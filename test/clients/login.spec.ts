import type { Actor } from '../builders/identities.js';
import { createPerson, signedInBrowser } from '../builders/person.js';
import { testEnvironment } from '../setup/test-environment.js';
import type { Browser } from '../support/http/browser.js';
import { startOidcSite } from '../support/oidc/site.js';
import { Cli, type TerminalSession } from '../support/processes/cli.js';

const ENTER = '\r';
let person: Actor;
let browser: Browser;
let cli: Cli;

beforeEach(async () => {
  person = await createPerson();
  browser = await signedInBrowser(person);
  cli = await Cli.create(null);
});

/** Begins `login` in a terminal. @returns the code that it shows, and the rest of the session */
async function beginLogin(
  origin = testEnvironment().origin,
): Promise<{ code: string; terminal: TerminalSession }> {
  const terminal = cli.inTerminal('login');
  await terminal.waitFor(/How would you like to authenticate/);
  terminal.type(ENTER);
  const [, code = ''] = await terminal.waitFor(/one-time code: ([A-Z]{4}-[A-Z]{4})/);
  await terminal.waitFor(/Select Yes to continue/);
  terminal.type(ENTER);
  await terminal.waitFor(/Waiting for authentication/);
  const [, address] = await terminal.waitFor(/OPENED (\S+)/);
  expect(address).toBe(`${origin}/login/device`);
  return { code, terminal };
}

async function decide(code: string, decision: string): Promise<void> {
  await browser.open('/login/device');
  const shown = await browser.submit('/login/device', { code });
  expect(shown.html).toContain('Capawesome CLI v');
  await browser.submit('/login/device', { decision });
}

it('signs the command-line tool in, until it signs out', async () => {
  const { code, terminal } = await beginLogin();
  await decide(code, 'approve');
  expect(await terminal.end()).toMatchObject({ exitCode: 0 });
  expect(terminal.output()).toContain('Successfully signed in');
  expect(await cli.succeed('whoami')).toContain(person.email);

  const kept = await cli.readHome('.capawesome');
  expect(kept).toContain(`userId="${person.userId}"`);
  expect(await cli.readHome('keyring')).toMatch(/^ses_/);
  const sessions = async (): Promise<string[]> =>
    ((await person.api.get('/v1/sessions')).body as { id: string; kind: string }[])
      .filter(({ kind }) => kind === 'device')
      .map(({ id }) => id);
  const [sessionId, ...others] = await sessions();
  expect(others).toEqual([]);
  expect(kept).toContain(`sessionId="${sessionId}"`);

  expect(await cli.succeed('logout')).toContain('Successfully signed out');
  expect(await sessions()).toEqual([]);
  expect((await cli.run('whoami')).exitCode).toBe(1);
});

it('ends the command-line tool at once when it is denied', async () => {
  const { code, terminal } = await beginLogin();
  await decide(code, 'deny');
  expect(await terminal.end()).toMatchObject({ exitCode: 1 });
  expect(terminal.output()).toContain('The sign-in was denied.');
});

it('takes an API token that was made on the page', async () => {
  await browser.open('/settings/tokens');
  const { html } = await browser.submit('/settings/tokens', { name: 'Laptop', expires: '30' });
  const token = /class="secret">(ca_\w+)</.exec(html)?.[1] ?? '';
  const terminal = cli.inTerminal('login', '--token', token);
  expect(await terminal.end()).toMatchObject({ exitCode: 0 });
  expect(await cli.succeed('whoami')).toContain(person.email);
});

it('is signed in by a user of an OpenID provider', async () => {
  const site = await startOidcSite();
  try {
    cli = await Cli.create(null, site.server.origin);
    const { code, terminal } = await beginLogin(site.server.origin);
    const user = site.provider.createUser();
    const visitor = site.newVisitor();
    await visitor.follow('/login/device');
    expect((await visitor.signIn('/login/device')).html).toContain('Sign in a device');
    browser = visitor.browser();
    await decide(code, 'approve');
    expect(await terminal.end()).toMatchObject({ exitCode: 0 });
    expect(await cli.succeed('whoami')).toContain(user.email);
  } finally {
    await site.stop();
  }
});
