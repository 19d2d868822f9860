import type { KeyUse } from './call-budget.queries.js';
import { appleKeyHash, rateLimitOf, waitFor } from './call-budget.service.js';

const use = (values: Partial<KeyUse> = {}): KeyUse => ({
  own: 1,
  all: values.own ?? 1,
  organizations: 1,
  hourLimit: null,
  remaining: null,
  pausedSeconds: 0,
  ...values,
});

describe('a call with a key of App Store Connect', () => {
  it.each([
    ['the first one', use({ own: 0, all: 0 }), null],
    ['one of a few', use({ own: 100 }), null],
    ['the last one before the reserve, without a known limit', use({ own: 3419 }), null],
    ['one of the reserve', use({ own: 3420 }), 'used-up'],
    ['one below the limit that Apple has named', use({ own: 94, hourLimit: 100 }), null],
    ['one at the limit that Apple has named', use({ own: 95, hourLimit: 100 }), 'used-up'],
    [
      'one although other tools have used up the rest',
      use({ own: 10, hourLimit: 100, remaining: 5 }),
      'used-up',
    ],
    ['one while other tools have left some', use({ own: 10, hourLimit: 100, remaining: 6 }), null],
    [
      'the first one of an organization, from the reserve',
      use({ own: 0, all: 95, hourLimit: 100, organizations: 2 }),
      null,
    ],
    ['one below the share of two', use({ own: 46, all: 60, hourLimit: 100, organizations: 2 }), null],
    ['one above the share of two', use({ own: 48, all: 60, hourLimit: 100, organizations: 2 }), 'share'],
    [
      'one of another organization meanwhile',
      use({ own: 12, all: 60, hourLimit: 100, organizations: 2 }),
      null,
    ],
    ['one of a tiny limit', use({ own: 1, hourLimit: 1 }), 'used-up'],
    ['one in a pause', use({ own: 0, pausedSeconds: 1.2 }), 'pause'],
  ])('%s', (_, known, why) => {
    expect(waitFor(known)?.why ?? null).toBe(why);
  });

  it('waits as long as the pause', () => {
    expect(waitFor(use({ pausedSeconds: 1.2 }))).toEqual({ why: 'pause', seconds: 2 });
  });
});

describe('X-Rate-Limit', () => {
  it.each([
    ['user-hour-lim:3600;user-hour-rem:3545;', { hourLimit: 3600, remaining: 3545 }],
    ['user-hour-rem: 7; user-hour-lim: 10', { hourLimit: 10, remaining: 7 }],
    ['user-hour-lim:10;user-hour-rem:11;', { hourLimit: 10, remaining: 10 }],
    ['user-hour-lim:0;user-hour-rem:0;', null],
    ['user-hour-lim:99999999;user-hour-rem:0;', null],
    ['user-hour-lim:-1;user-hour-rem:-1;', null],
    ['user-hour-lim:10', null],
    ['xuser-hour-lim:10;user-hour-rem:1;', null],
    ['', null],
  ])('%j', (text, limit) => {
    expect(rateLimitOf({ 'x-rate-limit': text })).toEqual(limit);
  });
});

it('counts for one key, however its issuer is spelled', () => {
  const [issuerId, keyId] = ['57246542-96fe-1a63-e053-0824d011072a', '2X9R4HXF34'];
  const hash = appleKeyHash({ issuerId, keyId });
  expect(appleKeyHash({ issuerId: issuerId.toUpperCase(), keyId })).toBe(hash);
  expect(appleKeyHash({ issuerId: null, keyId })).not.toBe(hash);
});
