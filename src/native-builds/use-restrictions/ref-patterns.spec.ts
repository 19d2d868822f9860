import { isRefPattern, matchesRef } from './ref-patterns.js';

describe('patterns of branches and tags', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'refs/heads/main', true],
    ['main', 'refs/tags/main', true],
    ['main', 'Main', false],
    ['main', 'main2', false],
    ['release/*', 'release/1.0', true],
    ['release/*', 'release/1.0/fix', false],
    ['release/**', 'release/1.0/fix', true],
    ['release/*', 'release/.hidden', true],
    ['v?.*', 'v1.2.3', true],
    ['v?.*', 'v10.2.3', false],
    ['*', 'main', true],
    ['*', 'feature/x', false],
    ['**', 'feature/x', true],
    ['refs/heads/main', 'refs/heads/main', true],
    ['refs/heads/main', 'refs/tags/main', false],
    ['refs/heads/main', 'main', false],
    ['refs/tags/v*', 'refs/tags/v1', true],
    ['#1', '#1', true],
    ['a+b', 'a+b', true],
  ])('%s and %s: %s', (pattern, ref, matches) => {
    expect(isRefPattern(pattern)).toBe(true);
    expect(matchesRef([pattern], ref)).toBe(matches);
  });

  it('match neither commits nor sources without a ref, and everything when there are none', () => {
    for (const ref of [null, 'a'.repeat(40), 'A'.repeat(64), 'x'.repeat(256)]) {
      expect(matchesRef(['**'], ref)).toBe(false);
      expect(matchesRef([], ref)).toBe(true);
    }
  });

  it.each(['', ' ', 'a b', '!main', '{a,b}', '[ab]', '@(a|b)', 'a\\b', 'a\nb', '*a*b*c*', 'x'.repeat(101)])(
    'are not %j',
    (pattern) => {
      expect(isRefPattern(pattern)).toBe(false);
    },
  );

  it('are matched at once, however hostile', () => {
    const began = Date.now();
    for (const pattern of ['*a*a*b', '**a**a**b', '*a?*a?*b', '**/**/**b', '***a***a***b']) {
      expect(isRefPattern(pattern)).toBe(true);
      matchesRef(Array<string>(20).fill(pattern), 'a'.repeat(255));
      matchesRef(Array<string>(20).fill(pattern), 'a/'.repeat(127));
    }
    expect(Date.now() - began).toBeLessThan(5000);
  });
});
