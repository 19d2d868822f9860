import { createHash, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { signBundle } from './bundle-signer.service.js';

describe('signBundle', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const content = randomBytes(1000);
  const sha256 = createHash('sha256').update(content).digest('hex');

  it('signs what RSA with SHA-256 over the bytes verifies', () => {
    const signingKey = privateKey.export({ type: 'pkcs8', format: 'der' });
    const signature = Buffer.from(signBundle(signingKey, sha256), 'base64');
    expect(verify('sha256', content, publicKey, signature)).toBe(true);
    expect(verify('sha256', randomBytes(1000), publicKey, signature)).toBe(false);
  });
});
