import { randomBytes } from 'node:crypto';
import { openChallenge, signChallenge } from './udid-requests.service.js';

describe('a challenge', () => {
  const key = randomBytes(32);
  const callbackUrl = 'https://slipway.example.com/app-build-shares/1?a=b';
  const challenge = signChallenge(key, { callbackUrl, expiresAt: 2000 });

  it('carries the address until it expires', () => {
    expect(openChallenge(key, challenge, 1999)).toBe(callbackUrl);
    expect(openChallenge(key, challenge, 2000)).toBeNull();
  });

  it('opens nothing with another key, or when it is changed', () => {
    expect(openChallenge(randomBytes(32), challenge, 0)).toBeNull();
    const [content = '', signature = ''] = challenge.split('.');
    const other = Buffer.from(JSON.stringify(['https://evil.example.com/', 2000])).toString('base64url');
    const forged = [
      `${other}.${signature}`,
      content,
      `${content}.`,
      `${challenge}.x`,
      '',
      '.',
      'x'.repeat(5000),
    ];
    for (const text of forged) expect(openChallenge(key, text, 0)).toBeNull();
  });
});
