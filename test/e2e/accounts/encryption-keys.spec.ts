import type { Actor, Tenant } from '../../builders/identities.js';
import { createLicenseKey, type TestLicenseKey } from '../../builders/license-key.js';
import { createPerson, PASSWORD, signedInBrowser } from '../../builders/person.js';
import { type Authenticator, enableTwoFactor } from '../../builders/two-factor.js';
import { createWebhook, WEBHOOK_URL } from '../../builders/webhook.js';
import { startServer } from '../../setup/server.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { runProgram } from '../../support/processes/programs.js';
import { asParent } from '../../support/resources/parents.js';
import { OwnSite } from '../../support/servers/own-site.js';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const A = key(1);
const B = key(2);
const WRONG = key(3);
/** Before a change of keys every replica knows the next one. */
const FIRST = { ENCRYPTION_KEYS_OLD: B, ENCRYPTION_KEY: A };

let site: OwnSite;
/** The keys of its server. */
let current: Record<string, string>;
let person: Actor;
let authenticator: Authenticator;
let organizationId: string;
let first: TestLicenseKey;

/** Under which keys the secrets of the site are sealed, by table. */
async function keyIds(): Promise<string[]> {
  const rows = await site.query<{ kind: string }>(
    `SELECT 'license ' || split_part(sealed_key, '.', 2) AS kind FROM license_keys
      UNION SELECT 'factor ' || split_part(secret, '.', 2) FROM two_factors
      UNION SELECT 'webhook ' || split_part(unnest(ARRAY[sealed_url, sealed_headers, sealed_signing_secret,
                                                         sealed_previous_signing_secret]), '.', 2) FROM webhooks
      ORDER BY 1`,
  );
  return rows.map(({ kind }) => kind);
}

/** With its address, everything that a webhook can have sealed, after a rotation. */
const webhookSecrets = { headers: { 'X-Key': 'value' }, signingSecret: 'the first secret' };

const api = (): Api => new Api(site.origin, person.token);

/** The organization and its owner, who calls the server that runs now. */
const tenant = (): Tenant => ({ organizationId, owner: { ...person, api: api() } });

const licenseKeys = async (): Promise<unknown> =>
  (await api().get(`/v1/organizations/${organizationId}/license-keys`)).body;

/** Signs in with password and code, as the only one who does in this step. */
async function signIn(): Promise<string> {
  await site.query('UPDATE two_factors SET last_step = 0');
  const browser = new Browser(site.origin);
  await browser.open('/login');
  await browser.submit('/login', { email: person.email, password: PASSWORD });
  return (await browser.submit('/login/second-factor', { code: authenticator.code() })).html;
}

/** Lets the site have these keys, and no others. */
async function restartWith(keys: Record<string, string>): Promise<void> {
  const env = { ENCRYPTION_KEYS_OLD: '', ...keys };
  if (JSON.stringify(env) === JSON.stringify(current)) return;
  await site.server.stop();
  await site.restart(env);
  current = env;
}

async function reencrypt(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { databaseUrl } = site;
  const { code, out, err } = await runProgram('secrets reencrypt', { databaseUrl }, { env });
  return { code, output: out + err };
}

/** A repeatable request whose answer is kept under the key of the installation. */
async function createAppOnce(): Promise<string> {
  const request = api().request('post', `/v1/apps?organizationId=${organizationId}`);
  return ((await request.set('Idempotency-Key', 'once').send({ name: 'Shop' })).body as { id: string }).id;
}

beforeAll(async () => {
  current = FIRST;
  site = await OwnSite.start(current);
});
beforeEach(async () => {
  await site.clear();
  await restartWith(FIRST);
  person = await createPerson(site);
  authenticator = await enableTwoFactor(await signedInBrowser(person, new Browser(site.origin)));
  ({ id: organizationId } = expectCreated<{ id: string }>(
    await api().post('/v1/organizations', { name: 'Acme' }),
  ));
  first = await createLicenseKey(tenant());
});
afterAll(() => site.dispose());

it('says which secrets no key decrypts, and leaves them as they are', async () => {
  const before = await keyIds();
  const { code, output } = await reencrypt({ ENCRYPTION_KEY: B });
  expect(code).toBe(1);
  expect(output).toContain(`license_keys: no key decrypts ${first.id}.`);
  expect(output).toMatch(/\d secrets are not: add the keys that they need to ENCRYPTION_KEYS_OLD\./);
  expect(await keyIds()).toEqual(before);
  expect(output).not.toContain(A);
});

it('is refused when it is no key', async () => {
  const start = startServer({
    DATABASE_URL: site.databaseUrl,
    ENCRYPTION_KEY: B,
    ENCRYPTION_KEYS_OLD: `${A},short`,
  });
  await expect(start).rejects.toThrow(
    'ENCRYPTION_KEYS_OLD must be keys of 32 bytes in Base64 (44 characters each), separated by commas.',
  );
});

it('of an installation that is older than the check of the key is recognized by the secrets', async () => {
  await site.server.stop();
  // As after the migration that adds the check.
  await site.query('DELETE FROM encryption_checks');
  const wrong = site.restart({ ENCRYPTION_KEYS_OLD: '', ENCRYPTION_KEY: WRONG });
  await expect(wrong).rejects.toThrow('ENCRYPTION_KEY is not the key that this database was started with');
  await site.restart({ ENCRYPTION_KEYS_OLD: WRONG, ENCRYPTION_KEY: A });
  current = { ENCRYPTION_KEYS_OLD: WRONG, ENCRYPTION_KEY: A };
  expect(await licenseKeys()).toMatchObject([{ key: first.key }]);
});

it('can be made known to every replica before one of them encrypts with it', async () => {
  await createLicenseKey(tenant());
  expect(await keyIds()).toHaveLength(2);
  expect((await reencrypt({ ENCRYPTION_KEY: B, ENCRYPTION_KEYS_OLD: A })).code).toBe(0);
  expect(await licenseKeys()).toMatchObject([{ key: first.key }, {}]);
});

it('changes without the loss of a secret, and the old one can be dropped', async () => {
  const appId = await createAppOnce();
  const webhook = await createWebhook(asParent(tenant()), webhookSecrets);
  await api().post(`${webhook.path}/rotate-secret`);
  await restartWith({ ENCRYPTION_KEY: B, ENCRYPTION_KEYS_OLD: ` ${WRONG} , ${A}` });
  expect(await createAppOnce()).toBe(appId);
  expect(await signIn()).toContain(person.email);
  const second = await createLicenseKey(tenant());
  expect(await licenseKeys()).toMatchObject([{ key: first.key }, { key: second.key }]);
  expect(await keyIds()).toHaveLength(4);

  const { code, output } = await reencrypt({ ENCRYPTION_KEY: B, ENCRYPTION_KEYS_OLD: A });
  expect(code).toBe(0);
  for (const line of [
    'license_keys: 1 encrypted with the current key.',
    'two_factors: 1 encrypted with the current key.',
    'Every secret is encrypted with the current key.',
  ]) {
    expect(output.split('\n')).toContain(line);
  }
  const ofWebhook = output
    .split('\n')
    .filter((line) => line === 'webhooks: 1 encrypted with the current key.');
  expect(ofWebhook).toHaveLength(4);
  expect(await keyIds()).toHaveLength(3);

  await restartWith({ ENCRYPTION_KEY: B });
  expect((await api().get(webhook.path)).body).toMatchObject({ url: WEBHOOK_URL });
  expect(await createAppOnce()).toBe(appId);
  expect(await signIn()).toContain(person.email);
  expect(await licenseKeys()).toMatchObject([{ key: first.key }, { key: second.key }]);
});
