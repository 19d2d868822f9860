import { parseRef } from './git-ref.js';

describe('parseRef', () => {
  it.each([
    ['main', ['refs/heads/main', 'refs/tags/main']],
    ['feature/a-b.c', ['refs/heads/feature/a-b.c', 'refs/tags/feature/a-b.c']],
    ['größe', ['refs/heads/größe', 'refs/tags/größe']],
    ['pull/1/head', ['refs/heads/pull/1/head', 'refs/tags/pull/1/head']],
    ['refs/tags/v1', ['refs/tags/v1']],
    ['refs/heads/main', ['refs/heads/main']],
    ['HEAD', ['HEAD']],
  ])('takes %s', (text, names) => {
    expect(parseRef(text)).toEqual({ kind: 'names', names, abbreviation: null });
  });

  it('takes whole commit ids as they are', () => {
    const sha = 'ABCDEF0123'.repeat(4);
    expect(parseRef(sha)).toEqual({ kind: 'commit', sha: sha.toLowerCase() });
    expect(parseRef('a'.repeat(64))).toEqual({ kind: 'commit', sha: 'a'.repeat(64) });
  });

  it('takes the beginning of a commit id, which may be a name as well', () => {
    const names = ['refs/heads/abc1234', 'refs/tags/abc1234'];
    expect(parseRef('abc1234')).toEqual({ kind: 'names', names, abbreviation: 'abc1234' });
    expect(parseRef('abc123')).toMatchObject({ abbreviation: null });
  });

  it.each([
    '',
    ' ',
    '-u',
    '--upload-pack=touch /tmp/x',
    'a b',
    'a\n',
    'a\u0000b',
    'a\u0007b',
    'a\u202eb',
    'a..b',
    'a~1',
    'a^',
    'a^{}',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    '@',
    'a@{1}',
    '/a',
    'a/',
    'a//b',
    'a/.b',
    '.a',
    'a.',
    'a.lock',
    'a.lock/b',
    'refs/pull/1/head',
    'refs/pull/1/merge',
    'refs/merge-requests/1/head',
    'refs/remotes/origin/main',
    'refs/notes/x',
    'refs/heads/',
    'refs/heads',
    'refs',
    'x'.repeat(251),
  ])('refuses %j', (text) => {
    expect(parseRef(text)).toEqual(expect.stringMatching(/\.$/));
  });
});
