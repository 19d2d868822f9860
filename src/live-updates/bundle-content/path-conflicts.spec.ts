import fc from 'fast-check';
import { findPathConflicts } from './path-conflicts.js';

describe('findPathConflicts', () => {
  it('finds none among different paths', () => {
    expect(
      findPathConflicts(['index.html', 'a/index.html', 'a/b', 'ab', 'a/b.c', 'ä', 'a'.repeat(3)]),
    ).toEqual([]);
  });

  it.each([
    [['a', 'a'], 'a is there twice'],
    [['a/B.js', 'a/b.js'], 'a/b.js and a/B.js differ in case'],
    [['A/b', 'a/b'], 'a/b and A/b differ'],
    [['\u00e9', 'e\u0301'], 'differ in case or in the form'],
    [['\u00c9', 'e\u0301'], 'differ'],
    [['straße', 'STRASSE'], 'differ'],
    [['a', 'a/b'], 'a is a file and the folder of a/b'],
    [['a/b/c', 'A/B'], 'A/B is a file and the folder of a/b/c'],
  ])('finds one in %j', (paths, problem) => {
    expect(findPathConflicts(paths)).toEqual([expect.stringContaining(problem)]);
    expect(findPathConflicts(paths.toReversed())).toHaveLength(1);
  });

  it('finds every form of a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        const path = name.replaceAll('/', '_');
        for (const form of [path.normalize('NFC'), path.normalize('NFD'), path.toUpperCase()]) {
          expect(findPathConflicts([path, form])).toHaveLength(1);
        }
      }),
    );
  });
});
