import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, importSPKI, jwtVerify } from 'jose';
import {
  closeStores,
  configFor,
  json,
  refusalFrom,
  serve,
  sessionFor,
} from '../../../../test/support/stores/store-servers.js';
import type { NewSubmissionRequest } from '../../submission-requests/submission-requests.service.js';
import { GoogleTokens, tokenRefusalOf } from './google-token.service.js';

afterEach(closeStores);

describe('the sign-in at Google', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const key = {
    clientEmail: 'robot@project.iam.gserviceaccount.com',
    keyId: 'k1',
    privateKeyPem: privateKey,
  };
  const issue = (url: string, records?: NewSubmissionRequest[], with_ = key): Promise<string> => {
    const config = configFor(url);
    return new GoogleTokens(config).issue(sessionFor(config, records), with_);
  };

  it('exchanges a signed assertion, of which nothing is recorded', async () => {
    const play = await serve(
      json({ access_token: 'ya29.secret-token', token_type: 'Bearer', expires_in: 3599 }),
    );
    const records: NewSubmissionRequest[] = [];
    expect(await issue(play.url, records)).toBe('ya29.secret-token');
    const [call] = play.calls;
    expect(call?.url).toBe('/token');
    expect(call?.headers.authorization).toBeUndefined();
    const form = new URLSearchParams(call?.body.toString());
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const assertion = form.get('assertion') ?? '';
    const { payload } = await jwtVerify(assertion, await importSPKI(publicKey, 'RS256'), {
      audience: 'https://oauth2.googleapis.com/token',
      issuer: key.clientEmail,
    });
    expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
    expect(payload).toEqual(decodeJwt(assertion));
    expect(payload['scope']).toBe('https://www.googleapis.com/auth/androidpublisher');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    const recorded = JSON.stringify(records);
    for (const secret of [assertion, 'secret-token', key.clientEmail]) expect(recorded).not.toContain(secret);
    expect(recorded).toContain('grant_type');
  });

  it.each([
    ['no token', {}],
    ['another type', { access_token: ['x'] }],
    ['a header of its own', { access_token: 'x\r\nHost: y' }],
    ['a very long one', { access_token: 'x'.repeat(10_000) }],
  ])('repeats an answer with %s', async (_, answer) => {
    const play = await serve(json(answer));
    expect((await refusalFrom(issue(play.url))).refusal).toMatchObject({
      code: 'store_answer_unusable',
      retry: 'again',
    });
  });

  it('explains a key that Google or Node.js does not take', async () => {
    const play = await serve(
      json({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, 400),
    );
    expect((await refusalFrom(issue(play.url))).refusal.code).toBe('store_key_refused');
    const small = generateKeyPairSync('rsa', {
      modulusLength: 1024,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    for (const pem of ['no key', small.privateKey]) {
      const refused = await refusalFrom(issue(play.url, [], { ...key, privateKeyPem: pem }));
      expect(refused.refusal).toMatchObject({ code: 'store_key_unusable', retry: 'never' });
    }
    expect(play.calls).toHaveLength(1);
  });
});

const refuse = (status: number, answer: object | string, headers = {}) =>
  tokenRefusalOf({ status, headers, text: typeof answer === 'string' ? answer : JSON.stringify(answer) });

describe('refusals of the sign-in', () => {
  it.each([
    ['invalid_grant', 'Invalid JWT Signature.', 'store_key_refused'],
    ['invalid_grant', 'Invalid grant: account not found', 'store_account_deleted'],
    ['invalid_grant', 'Service account is disabled.', 'store_account_disabled'],
    [
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      'store_clock_wrong',
    ],
    ['disabled_client', 'The OAuth client was disabled.', 'store_account_disabled'],
    ['deleted_client', 'The OAuth client was deleted.', 'store_key_refused'],
    ['invalid_client', 'The OAuth client was not found.', 'store_key_refused'],
    [
      'unauthorized_client',
      'Client is unauthorized to retrieve access tokens using this method.',
      'store_key_refused',
    ],
    ['invalid_scope', 'Invalid OAuth scope or ID token audience provided.', 'store_scope_refused'],
    ['access_denied', 'Account restricted', 'store_scope_refused'],
    ['unsupported_grant_type', 'Invalid grant_type', 'store_sign_in_refused'],
  ])('%s: %s', (error, description, code) => {
    const { refusal, storeMessage } = refuse(400, { error, error_description: description });
    expect(refusal).toMatchObject({ code, retry: 'after-action' });
    expect(storeMessage).toBe(`${error}: ${description}`);
    expect(refusal.sentence.length).toBeLessThanOrEqual(300);
    expect(refusal.sentence).toContain('then submit again');
  });

  it('repeats what passes', () => {
    expect(refuse(503, 'down').refusal).toMatchObject({ code: 'store_failed', retry: 'again' });
    expect(refuse(429, { error: 'rate_limited' }, { 'retry-after': '7' }).refusal).toMatchObject({
      retry: 'again',
      afterSeconds: 7,
    });
    expect(refuse(500, { error: 'invalid_grant' }).refusal.retry).toBe('again');
  });

  it('understands errors in the form of the other APIs, pages and redirects', () => {
    const disabled = { error: { code: 403, message: 'x', details: [{ reason: 'CONSUMER_INVALID' }] } };
    expect(refuse(403, disabled).refusal.code).toBe('store_project_unusable');
    expect(refuse(404, '<html>Not found</html>')).toMatchObject({
      refusal: { code: 'store_refused' },
      storeMessage: 'Not found',
    });
    expect(refuse(302, '').refusal.code).toBe('store_answer_unusable');
  });
});
