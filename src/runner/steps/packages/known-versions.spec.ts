import { versionForLock } from './known-versions.js';

it.each([
  ['pnpm', "lockfileVersion: '9.0'\n", '10.34.9'],
  ['pnpm', "lockfileVersion: '6.0'\n", '8.15.9'],
  ['pnpm', 'lockfileVersion: 5.4\n', '7.33.7'],
  ['pnpm', 'lockfileVersion: 5.1\n', null],
  ['yarn', '# yarn lockfile v1\n', '1.22.22'],
  ['yarn', '__metadata:\n  version: 6\n  cacheKey: 8\n', '3.8.7'],
  // With --immutable, newer ones refuse formats that they would write in another way.
  ['yarn', '__metadata:\n  version: 8\n  cacheKey: 10c0\n', '4.13.0'],
  ['yarn', '__metadata:\n  version: 9\n  cacheKey: 10c0\n', '4.14.1'],
  ['yarn', '__metadata:\n  version: 10\n  cacheKey: 10c0\n', '4.18.1'],
] as const)('the %s that reads %j is %s', (name, lock, expected) => {
  expect(versionForLock(name, lock)).toBe(expected);
});
