import { isRefPattern, matchesRef, matchesWildcards, patternFor } from './ref-patterns.js';

describe('patterns of branches and tags', () => {
  it.each([
    ['main', 'refs/heads/main', true],
    ['main', 'refs/tags/main', false],
    ['main', 'main', false],
    ['main', 'refs/heads/Main', false],
    ['main', 'refs/heads/main2', false],
    ['release/*', 'refs/heads/release/1.0', true],
    ['release/*', 'refs/heads/release/1.0/fix', false],
    ['release/**', 'refs/heads/release/1.0/fix', true],
    ['release/*', 'refs/heads/release/.hidden', true],
    ['v?.*', 'refs/heads/v1.2.3', true],
    ['v?.*', 'refs/heads/v10.2.3', false],
    ['v?.*', 'refs/tags/v1.2.3', false],
    ['*', 'refs/heads/main', true],
    ['*', 'refs/tags/main', false],
    ['*', 'refs/heads/feature/x', false],
    ['**', 'refs/heads/feature/x', true],
    ['**', 'refs/tags/v1', false],
    ['**', 'HEAD', false],
    ['tags/*', 'refs/tags/v1', false],
    ['refs/heads/main', 'refs/heads/main', true],
    ['refs/heads/main', 'refs/tags/main', false],
    ['refs/heads/main', 'main', false],
    ['refs/tags/v*', 'refs/tags/v1', true],
    ['refs/tags/v*', 'refs/heads/v1', false],
    ['refs/**', 'refs/tags/v1', true],
    ['#1', 'refs/heads/#1', true],
    ['a+b', 'refs/heads/a+b', true],
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
      matchesRef(Array<string>(20).fill(pattern), `refs/heads/${'a'.repeat(244)}`);
      matchesRef(Array<string>(20).fill(pattern), `refs/heads/${'a/'.repeat(122)}`);
    }
    expect(Date.now() - began).toBeLessThan(5000);
  });

  it.each([
    ['refs/tags/v1.2.0', 'refs/tags/v*'],
    ['refs/tags/mobile/v1', 'refs/tags/mobile/v*'],
    ['refs/tags/1.2.0', 'refs/tags/1.2.0'],
    ['refs/tags/main', 'refs/tags/main'],
    ['refs/heads/release/1.0', 'refs/heads/release/1.0'],
    ['refs/heads/fix(app)', null],
    [`refs/heads/${'x'.repeat(100)}`, null],
    ['HEAD', null],
    [null, null],
  ])('are found for %s: %s', (ref, pattern) => {
    expect(patternFor(ref)).toBe(pattern);
    if (pattern !== null) expect(matchesRef([pattern], ref)).toBe(true);
  });
});

describe('wildcards in texts', () => {
  it.each([
    ['release: *', 'release: 1.2/3', true],
    ['*[release]*', 'Fix [release] now', true],
    ['*', '', true],
    ['', '', true],
    ['fix?', 'fix', false],
    ['fix?', 'fix!', true],
    ['release*', 'Release 1', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-b-b-d', false],
    ['.*', 'x', false],
  ])('%j in %j: %s', (pattern, text, matches) => expect(matchesWildcards(pattern, text)).toBe(matches));

  it('take no long time for any pattern', () => {
    const began = Date.now();
    expect(matchesWildcards(`${'*a'.repeat(100)}b`, 'a'.repeat(10_000))).toBe(false);
    expect(Date.now() - began).toBeLessThan(5000);
  });
});
