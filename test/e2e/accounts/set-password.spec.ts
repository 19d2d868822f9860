import { createActor } from '../../builders/identities.js';
import { createPerson, givePassword, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Browser } from '../../support/http/browser.js';
import { runProgram } from '../../support/processes/programs.js';

async function setPassword(password: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return setPasswordIn({}, password, ...args);
}

/** @param env variables of the command */
async function setPasswordIn(
  env: Readonly<Record<string, string>>,
  password: string,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const { databaseUrl } = testEnvironment();
  const { code, out, err } = await runProgram('password', { databaseUrl }, { args, env, input: password });
  return { code, output: out + err };
}

it('sets the first password, and ends the sessions that there are when it sets the next', async () => {
  const person = await createActor();
  const set = await setPassword(`${PASSWORD}\n`, '--email', person.email.toUpperCase());
  expect(set).toEqual({ code: 0, output: expect.stringContaining(person.email) as string });
  const browser = await signedInBrowser(person);
  expect((await setPassword('another long password\n', '--email', person.email)).code).toBe(0);
  expect((await browser.request('GET', '/settings/tokens')).status).toBe(303);
});

it('says what is wrong, and never the password', async () => {
  const { email } = await createActor();
  expect(await setPassword('too short\n', '--email', email)).toEqual({
    code: 1,
    output: 'The password must have at least 12 characters.\n',
  });
  expect(await setPassword(PASSWORD, '--email', 'nobody@example.com')).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^There is no user nobody@example.com. To create the user, run: .+ user create --email nobody@example.com\n$/,
    ) as string,
  });
  expect((await setPassword(PASSWORD)).output).toContain('Usage: slipway password');
});

it('refuses what is easy to guess, in the words of the page', async () => {
  const person = await createPerson();
  const guessable = 'passwordpassword';
  const { code, output } = await setPassword(guessable, '--email', person.email);
  expect(code).toBe(1);
  expect(output).toContain('too easy to guess');
  const browser = await signedInBrowser(person);
  await browser.open('/settings/password');
  const form = { current: PASSWORD, password: guessable, repeated: guessable };
  const shown = await browser.submit('/settings/password', form);
  expect(shown.status).toBe(422);
  expect(shown.html).toContain(output.trim());
});

it('keeps a password valid that would be refused today', async () => {
  const person = await createActor();
  await givePassword(person, testEnvironment(), 'passwordpassword');
  const browser = new Browser();
  await browser.open('/login');
  const shown = await browser.submit('/login', { email: person.email, password: 'passwordpassword' });
  expect(shown.html).toContain(person.email);
});

it.each([
  [{ PUBLIC_URL: 'https://slipway.example.com' }, 'https://slipway.example.com/login'],
  [{ PORT: '4321' }, 'http://localhost:4321/login'],
])('names the address of the sign-in with %j', async (env, address) => {
  const { email } = await createActor();
  const { output } = await setPasswordIn(env, PASSWORD, '--email', email);
  expect(output).toBe(`The password of ${email} is set. Sign in at ${address}.\n`);
});

it('prints the line of the installation', async () => {
  const env = { INSTALLATION: 'compose' };
  const { output } = await setPasswordIn(env, PASSWORD, '--email', 'nobody@example.com');
  expect(output).toContain('docker compose exec api slipway user create --email nobody@example.com');
});
