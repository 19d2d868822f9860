import fc from 'fast-check';
import { posix } from 'node:path';
import { isHref, MANIFEST_HREF, MAX_HREF_BYTES } from './href.js';

describe('isHref', () => {
  it.each([
    'index.html',
    'assets/app.js',
    'a/b/c/d.txt',
    '.DS_Store',
    '.well-known/x',
    '...',
    'a..b',
    'with space.txt',
    'plus+sign.txt',
    '50%.txt',
    '%2e%2e/x',
    'ümläut/日本.txt',
    'a?b#c&d.txt',
    MANIFEST_HREF,
    'x'.repeat(MAX_HREF_BYTES),
  ])('takes %j', (href) => {
    expect(isHref(href)).toBe(true);
  });

  it.each([
    '',
    '/',
    '/etc/passwd',
    '..',
    '../x',
    'a/../b',
    'a/..',
    '.',
    './a',
    'a/./b',
    'a//b',
    'a/',
    '..\\x',
    'C:\\x',
    'C:/x',
    'c:x',
    'a\u0000b',
    'a\nb',
    'a\u007fb',
    'x'.repeat(MAX_HREF_BYTES + 1),
    'ü'.repeat(MAX_HREF_BYTES / 2 + 1),
  ])('refuses %j', (href) => {
    expect(isHref(href)).toBe(false);
  });

  it('never leaves the bundle', () => {
    const segment = fc.constantFrom('..', '.', '', 'a', '...', '\\', '%2e', 'b c');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
        const href = segments.join('/');
        if (!isHref(href)) return;
        expect(posix.join('/bundle', href)).toBe(`/bundle/${href}`);
        expect(posix.normalize(href)).toBe(href);
      }),
    );
  });
});
