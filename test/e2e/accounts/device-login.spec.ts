import type { Actor } from '../../builders/identities.js';
import { createPerson, signedInBrowser } from '../../builders/person.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import type { Browser, Shown } from '../../support/http/browser.js';
import { expectError } from '../../support/http/expect-error.js';

interface Code {
  readonly id: string;
  readonly code: string;
}

const anonymous = new Api(testEnvironment().origin, null);
const page = '/login/device';
let person: Actor;
let browser: Browser;
beforeEach(async () => {
  person = await createPerson();
  browser = await signedInBrowser(person);
});

async function ask(userAgent = 'Capawesome CLI v4.18.4'): Promise<Code> {
  const { body } = await anonymous
    .request('post', '/v1/sessions/codes')
    .set('User-Agent', userAgent)
    .send({});
  return body as Code;
}
const poll = ({ id }: Code): ReturnType<Api['post']> =>
  anonymous.post('/v1/sessions', { code: id, provider: 'code' });

async function type(code: string, by = browser): Promise<Shown> {
  await by.open(page);
  return by.submit(page, { code });
}

it('shows what is asking, and signs it in when it is approved', async () => {
  const code = await ask();
  const shown = await type(`${code.code.slice(0, 4)}-${code.code.slice(4)}`.toLowerCase());
  expect(shown.html).toContain('Capawesome CLI v4.18.4');
  expect(shown.html).toContain('127.0.0.1 (the same as yours)');
  expect(shown.html).toContain('less than a minute ago');
  expectError(await poll(code), 400, 'session_code_pending');
  expect((await browser.submit(page, { decision: 'approve' })).html).toContain('Device signed in');
  const { status, body } = await poll(code);
  expect(status).toBe(201);
  const api = new Api(anonymous.origin, (body as { token: string }).token);
  expect((await api.get('/v1/users/me')).body).toMatchObject({ id: person.userId });
  expect((await type(code.code)).html).toContain('not known');
});

it('signs nothing in when it is denied', async () => {
  const code = await ask();
  await type(code.code);
  expect((await browser.submit(page, { decision: 'deny' })).html).toContain('was not signed in');
  expectError(await poll(code), 403, 'session_code_denied');
});

it('does not sign in a command-line tool that would send the id of its session, and says what to do', async () => {
  const code = await ask('Capawesome CLI v4.14.0');
  const shown = await type(code.code);
  expect(shown.html).toContain('Capawesome CLI v4.14.0 cannot be signed in with a code');
  expect(shown.html).toContain('login --token');
  expect(shown.html).toContain('href="/settings/tokens"');
  expect(shown.html).not.toMatch(/Approve|signed in the device/);
  const { message } = expectError(await poll(code), 403, 'session_code_denied');
  expect(message).toContain('"login --token"');
  const another = await ask('Capawesome CLI v3.11.0');
  await browser.open(page);
  const approved = await browser.submit(page, { code: another.code, decision: 'approve' });
  expect(approved.html).toContain('login --token');
  expectError(await poll(another), 403, 'session_code_denied');
  expect((await person.api.get('/v1/sessions')).body).not.toContainEqual(
    expect.objectContaining({ kind: 'device' }),
  );
});

it('takes the first decision', async () => {
  const other = await createPerson();
  const otherBrowser = await signedInBrowser(other);
  const code = await ask();
  await type(code.code);
  await type(code.code, otherBrowser);
  await otherBrowser.submit(page, { decision: 'approve' });
  expect((await browser.submit(page, { decision: 'deny' })).html).toContain('not known');
  const { body } = await poll(code);
  const api = new Api(anonymous.origin, (body as { token: string }).token);
  expect((await api.get('/v1/users/me')).body).toMatchObject({ id: other.userId });
});

it('does not take an expired code, nor anything that is no code', async () => {
  const code = await ask();
  await query(testEnvironment().databaseUrl, `UPDATE session_codes SET expires_at = now() WHERE code = $1`, [
    code.code,
  ]);
  expect((await type(code.code)).status).toBe(422);
  for (const wrong of ['', 'BCDF', code.id, '<b>x</b>']) {
    const shown = await type(wrong.slice(0, 90));
    expect(shown.status).toBe(422);
    expect(shown.html).toContain('eight letters');
  }
});

it('escapes what the program says of itself', async () => {
  const code = await ask(`<img src=x onerror=alert(1)>"'`);
  expect((await type(code.code)).html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;');
});

it('delays guesses, and a right code in between buys none', async () => {
  const mine = await ask();
  const statuses: number[] = [];
  for (let guess = 0; guess < 5; guess++) {
    statuses.push((await type('BCDFBCDF')).status);
    await type(mine.code);
  }
  statuses.push((await type('BCDFBCDF')).status);
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
});
