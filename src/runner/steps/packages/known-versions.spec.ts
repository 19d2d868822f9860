import { versionForLock, versionInRange } from './known-versions.js';

it.each([
  ['pnpm', "lockfileVersion: '9.0'\n", '10.34.9'],
  ['pnpm', "lockfileVersion: '6.0'\n", '8.15.9'],
  ['pnpm', 'lockfileVersion: 5.4\n', '7.33.7'],
  ['pnpm', 'lockfileVersion: 5.1\n', null],
  ['yarn', '# yarn lockfile v1\n', '1.22.22'],
  ['yarn', '__metadata:\n  version: 4\n  cacheKey: 7\n', '2.4.2'],
  ['yarn', '__metadata:\n  version: 4\n  cacheKey: 8\n', '3.0.2'],
  ['yarn', '__metadata:\n  version: 5\n  cacheKey: 8\n', '3.1.1'],
  ['yarn', '__metadata:\n  version: 6\n  cacheKey: 8\n', '3.8.7'],
  ['yarn', `__metadata:\n  version: 8\n\n"a@npm:1":\n  checksum: ${'0a'.repeat(64)}\n`, '4.0.2'],
  ['yarn', `__metadata:\n  version: 8\n\n"a@npm:1":\n  checksum: 10c0/${'0a'.repeat(64)}\n`, '4.13.0'],
  // With --immutable, newer ones refuse formats that they would write in another way.
  ['yarn', '__metadata:\n  version: 8\n  cacheKey: 10c0\n', '4.13.0'],
  ['yarn', '__metadata:\n  version: 9\n  cacheKey: 10c0\n', '4.14.1'],
  ['yarn', '__metadata:\n  version: 10\n  cacheKey: 10c0\n', '4.18.1'],
] as const)('the %s that reads %j is %s', (name, lock, expected) => {
  expect(versionForLock(name, lock)).toBe(expected);
});

it.each([
  ['pnpm', '^9.2.0', null, '9.15.9'],
  ['pnpm', '>=9 <12', null, '11.28.11'],
  ['pnpm', '>=9', '10.34.9', '10.34.9'],
  ['pnpm', '>=99', '10.34.9', null],
  ['yarn', '^4.0.0', '4.13.0', '4.13.0'],
  ['bun', 'latest', '1.4.5', null],
] as const)('the %s in %j, with %s preferred, is %s', (name, range, preferred, expected) => {
  expect(versionInRange(name, range, preferred)).toBe(expected);
});
