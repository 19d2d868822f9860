import fc from 'fast-check';
import { generateApiToken, hashToken, isApiToken } from './api-token.js';

describe('API token', () => {
  it('has the prefix that the command-line tool looks for', () => {
    expect(generateApiToken()).toMatch(/^ca_[0-9a-f]{48}$/);
  });

  it('is recognized, and never made twice', () => {
    const tokens = Array.from({ length: 1000 }, generateApiToken);
    expect(tokens.every(isApiToken)).toBe(true);
    expect(new Set(tokens).size).toBe(1000);
  });

  it('is told from one with any other character', () => {
    const token = generateApiToken();
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: token.length - 1 }),
        fc.constantFrom(...'0123456789abcdefgA '),
        (at, c) => {
          const other = token.slice(0, at) + c + token.slice(at + 1);
          expect(isApiToken(other)).toBe(other === token);
        },
      ),
    );
  });

  it.each([
    ['nothing', (): string => ''],
    ['one cut short', (token: string): string => token.slice(0, -1)],
    ['one with something behind it', (token: string): string => `${token}0`],
    ['one with a line break behind it', (token: string): string => `${token}\n`],
    ['one in upper case', (token: string): string => token.toUpperCase()],
    ['one without prefix', (token: string): string => token.slice(3)],
    ['one with another prefix', (token: string): string => token.replace('ca_', 'cb_')],
  ])('is not %s', (_what, change) => {
    expect(isApiToken(change(generateApiToken()))).toBe(false);
  });

  it('is stored as SHA-256', () => {
    // The example of FIPS 180-2.
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
