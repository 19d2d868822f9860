import fc from 'fast-check';
import { generateLicenseKey, isLicenseKey } from './license-keys.service.js';

describe('license key', () => {
  it('has four groups that people can read', () => {
    expect(generateLicenseKey()).toMatch(/^SLIP(-[0-9A-HJKMNP-TV-Z]{5}){4}$/);
  });

  it('is recognized, and never made twice', () => {
    const keys = Array.from({ length: 1000 }, generateLicenseKey);
    expect(keys.every(isLicenseKey)).toBe(true);
    expect(new Set(keys).size).toBe(1000);
  });

  it('is told from one with any other character', () => {
    const key = generateLicenseKey();
    for (let at = 0; at < key.length; at++) {
      for (const character of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa-') {
        const other = key.slice(0, at) + character + key.slice(at + 1);
        expect(isLicenseKey(other)).toBe(other === key);
      }
    }
  });

  it('is told from one in which two neighbours changed places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 18 }), (at) => {
        const code = [...generateLicenseKey().slice(4).replaceAll('-', '')];
        [code[at], code[at + 1]] = [code[at + 1] as string, code[at] as string];
        const other = ['SLIP', ...(code.join('').match(/.{5}/g) ?? [])].join('-');
        expect(isLicenseKey(other)).toBe(code[at] === code[at + 1]);
      }),
    );
  });

  it.each([
    ['nothing', (): string => ''],
    ['one cut short', (key: string): string => key.slice(0, -1)],
    ['one with a line break behind it', (key: string): string => `${key}\n`],
    ['one in lower case', (key: string): string => key.toLowerCase()],
    ['one without hyphens', (key: string): string => key.replaceAll('-', '')],
  ])('is not %s', (_what, change) => {
    expect(isLicenseKey(change(generateLicenseKey()))).toBe(false);
  });
});
