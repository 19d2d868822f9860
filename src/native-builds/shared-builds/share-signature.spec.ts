import { randomBytes } from 'node:crypto';
import { isFileSigned, type SignedFile, signFile } from './share-addresses.service.js';

describe('signature of a shared file', () => {
  const key = randomBytes(32);
  const signed: SignedFile = { shareId: 'share', file: 'artifact', expiresAt: 2000, passwordHash: 'hash' };
  const signature = signFile(key, signed);

  it('opens the file until it expires', () => {
    expect(isFileSigned(key, signed, signature, 1999)).toBe(true);
    expect(isFileSigned(key, signed, signature, 2000)).toBe(false);
  });

  it.each<[string, Partial<SignedFile>]>([
    ['share', { shareId: 'other' }],
    ['file', { file: 'icon' }],
    ['time', { expiresAt: 3000 }],
    ['password', { passwordHash: 'other' }],
    ['border between its fields', { shareId: 'shareartifact', file: '' }],
  ])('opens nothing with another %s', (_what, other) => {
    expect(isFileSigned(key, { ...signed, ...other }, signature, 0)).toBe(false);
  });

  it('opens nothing with another key, or when it is changed', () => {
    expect(isFileSigned(randomBytes(32), signed, signature, 0)).toBe(false);
    expect(isFileSigned(key, signed, signature.slice(1), 0)).toBe(false);
    expect(isFileSigned(key, signed, 'ü'.repeat(64), 0)).toBe(false);
    expect(isFileSigned(key, signed, '', 0)).toBe(false);
  });
});
