import { InvalidRequestError } from '../errors/app-error.js';
import { assertBoundedBody, jsonLimitOf } from './json-body.js';

const keys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('assertBoundedBody', () => {
  it.each([
    ['1,000 keys', keys(1000)],
    ['20,000 values', Array.from({ length: 19_999 }, () => 1)],
    ['32 levels', nested(32)],
    ['a text', 'x'.repeat(1_000_000)],
    ['nothing', undefined],
  ])('accepts %s', (_what, body) => {
    expect(() => assertBoundedBody(body)).not.toThrow();
  });

  it.each([
    ['1,001 keys', keys(1001), 'more than 1,000 keys in one object'],
    ['1,001 keys below', [{ a: keys(1001) }], 'more than 1,000 keys in one object'],
    ['20,001 values', Array.from({ length: 20_000 }, () => 1), 'more than 20,000 values'],
    ['33 levels', nested(33), 'nested more than 32 levels deep'],
    ['100,000 levels', nested(100_000), 'nested more than 32 levels deep'],
  ])('refuses %s', (_what, body, message) => {
    expect(() => assertBoundedBody(body)).toThrow(InvalidRequestError);
    expect(() => assertBoundedBody(body)).toThrow(message);
  });

  it('reads none of the values of a list that is too long', () => {
    let reads = 0;
    const body = new Proxy<number[]>(Array.from({ length: 50_000 }), {
      get: (target, key) => {
        if (key !== 'length') reads++;
        return Reflect.get(target, key) as unknown;
      },
    });
    expect(() => assertBoundedBody(body)).toThrow('more than 20,000 values');
    expect(reads).toBe(0);
  });
});

it.each([
  ['/v1/sessions', 4],
  ['/v1/sessions/codes', 4],
  ['/v1/sessions?x=1', 4],
  ['/V1/Sessions/', 4],
  ['/v1/tokens', 64],
  ['/v1/organizations/1/members', 64],
  ['/v1/apps/1/channels', 1024],
  ['/v1/sessionsx', 1024],
])('limits the JSON of %s to %i KiB', (url, kibibytes) => {
  expect(jsonLimitOf(url)).toBe(kibibytes * 1024);
});
