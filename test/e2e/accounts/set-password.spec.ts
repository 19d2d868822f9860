import { createActor } from '../../builders/identities.js';
import { PASSWORD, signedInBrowser } from '../../builders/person.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { runProgram } from '../../support/processes/programs.js';

async function setPassword(password: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const { databaseUrl } = testEnvironment();
  const { code, out, err } = await runProgram('password', { databaseUrl }, { args, input: password });
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
    output: 'There is no user nobody@example.com.\n',
  });
  expect((await setPassword(PASSWORD)).output).toContain('Usage: slipway password');
});
