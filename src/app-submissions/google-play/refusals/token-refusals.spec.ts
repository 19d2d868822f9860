import { tokenRefusalOf } from './token-refusals.js';

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
      does: 'back-off',
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
