import { findViolation } from './restrictions.js';

const codeOf = (
  ipAllowlist: string[] | null,
  address: string,
  countryAllowlist: string[] | null = null,
  country: string | null = null,
): string | undefined =>
  findViolation({ ipAllowlist, countryAllowlist }, { address, country, userAgent: null })?.code;

describe('the addresses from which an organization may be used', () => {
  it('are all, or those of the list', () => {
    expect(codeOf(null, '203.0.113.1')).toBeUndefined();
    expect(codeOf(['192.0.2.0/24'], '192.0.2.255')).toBeUndefined();
    expect(codeOf(['192.0.2.0/24'], '192.0.3.0')).toBe('address_not_allowed');
    expect(codeOf([], '203.0.113.1')).toBe('address_not_allowed');
  });
});

describe('the countries from which an organization may be used', () => {
  it('are all, or those of the list, in which an unknown one is not', () => {
    expect(codeOf(null, '203.0.113.1', ['DE', 'AT'], 'AT')).toBeUndefined();
    expect(codeOf(null, '203.0.113.1', ['DE', 'AT'], 'FR')).toBe('country_not_allowed');
    expect(codeOf(null, '203.0.113.1', ['DE', 'AT'], null)).toBe('country_not_allowed');
    expect(codeOf(['192.0.2.1'], '203.0.113.1', ['DE'], 'DE')).toBe('address_not_allowed');
  });
});

it('refuses an unknown origin where there is a list', () => {
  expect(findViolation({ ipAllowlist: null, countryAllowlist: null }, undefined)).toBeNull();
  expect(findViolation({ ipAllowlist: ['0.0.0.0/0'], countryAllowlist: null }, undefined)?.status).toBe(403);
  expect(findViolation({ ipAllowlist: null, countryAllowlist: ['DE'] }, undefined)?.status).toBe(403);
});
