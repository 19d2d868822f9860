import { describeLockChanges } from './lock-changes.js';

const lock = (packages: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries(Object.entries(packages).map(([path, version]) => [path, { version }])),
  });

it.each<[string, string, string, string | null]>([
  [
    'another version',
    lock({ '': '1.0.0', 'node_modules/nanoid': '3.3.1' }),
    lock({ '': '1.0.1', 'node_modules/nanoid': '3.3.20' }),
    'nanoid 3.3.1 → 3.3.20',
  ],
  [
    'of a scope, within another package',
    lock({ 'node_modules/a/node_modules/@acme/ui': '1.0.0' }),
    lock({ 'node_modules/a/node_modules/@acme/ui': '2.0.0' }),
    '@acme/ui 1.0.0 → 2.0.0',
  ],
  [
    'new and removed packages',
    lock({ 'node_modules/old': '1.0.0' }),
    lock({ 'node_modules/new': '2.0.0' }),
    'new (new) → 2.0.0, old 1.0.0 → none',
  ],
  [
    'the same in several places',
    lock({ 'node_modules/a/node_modules/x': '1.0.0', 'node_modules/b/node_modules/x': '1.0.0' }),
    lock({ 'node_modules/a/node_modules/x': '1.1.0', 'node_modules/b/node_modules/x': '1.1.0' }),
    'x 1.0.0 → 1.1.0',
  ],
  ['the same', lock({ 'node_modules/a': '1.0.0' }), lock({ 'node_modules/a': '1.0.0' }), null],
  ['packages of the workspace only', lock({ 'apps/shop': '1.0.0' }), lock({ 'apps/shop': '2.0.0' }), null],
  ['what is no lock file', 'x', '{}', null],
])('names %s', (_case, before, after, expected) => {
  expect(describeLockChanges(before, after)).toBe(expected);
});

it('compares formats', () => {
  const old = JSON.stringify({
    lockfileVersion: 1,
    dependencies: { a: { version: '1.0.0', dependencies: { '@b/c': { version: '2.0.0' } } } },
  });
  const now = { 'node_modules/a': '1.0.0', 'node_modules/a/node_modules/@b/c': '2.0.0' };
  expect(describeLockChanges(old, lock(now))).toBeNull();
  expect(describeLockChanges(old, lock({ ...now, 'node_modules/a': '1.0.1' }))).toBe('a 1.0.0 → 1.0.1');
});

it('names ten packages at most', () => {
  const many = (version: string): string =>
    lock(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`node_modules/p${index}`, version])));
  const text = describeLockChanges(many('1.0.0'), many('1.0.1')) ?? '';
  expect(text.split(', ')).toHaveLength(10);
  expect(text).toMatch(/p9 1\.0\.0 → 1\.0\.1 and 2 more$/);
});
