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
import type { NewSubmissionRequest } from '../../submission-requests/submission-recorder.js';
import { GoogleTokens } from './google-token.service.js';

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
