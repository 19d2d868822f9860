import fc from 'fast-check';
import { findUnsafeReuse, type ListedFile } from './unsafe-reuse.js';

const file = (href: string, content: string): ListedFile => ({ href, checksum: content.padStart(64, '0') });

it.each([
  ['other files', [file('a', '1')], [file('b', '2')], null],
  ['the same files', [file('a', '1'), file('b', '2')], [file('a', '1'), file('b', '2')], null],
  ['a file with new content', [file('a', '2')], [file('a', '1')], null],
  [
    'a file with the content of another',
    [file('a', '2')],
    [file('a', '1'), file('b', '2')],
    ['content', 'a'],
  ],
  [
    'two files that exchange theirs',
    [file('a', '2'), file('b', '1')],
    [file('a', '1'), file('b', '2')],
    ['content', 'a'],
  ],
  ['a copy at a new path', [file('c', '1')], [file('a', '1')], ['absent', 'c']],
  ['both', [file('c', '1'), file('a', '2')], [file('a', '1'), file('b', '2')], ['content', 'a']],
] as const)('finds in %s', (_case, bundle, running, expected) => {
  const found = findUnsafeReuse(bundle, running);
  expect(found && [found.kind, found.href]).toEqual(expected);
});

it('finds exactly the pairs with which a device ends up with wrong files', () => {
  const files = fc.uniqueArray(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3')),
    {
      selector: ([href]) => href,
    },
  );
  fc.assert(
    fc.property(files, files, (bundle, running) => {
      const contents = new Map(running);
      const known = new Set(contents.values());
      const copied = bundle.filter(([, content]) => known.has(content));
      const found = findUnsafeReuse(
        bundle.map(([href, content]) => file(href, content)),
        running.map(([href, content]) => file(href, content)),
      );
      const isWrong = copied.some(([href, content]) => contents.has(href) && contents.get(href) !== content);
      expect(found?.kind === 'content').toBe(isWrong);
      expect(found === null).toBe(copied.every(([href, content]) => contents.get(href) === content));
    }),
  );
});
