import { describeUnreadable, findContentProblem, findNameProblem, shownPath } from './entry-problems.js';
import type { ZipName } from './zip-name.js';

const isInside = (path: string): boolean => !path.split('/').includes('..');

const problemOf = (name: Partial<ZipName>): string | null =>
  findNameProblem({ path: 'a', plain: 'a', field: null, encoding: 'ascii', ...name }, isInside);

describe('the problem of a name', () => {
  it.each<[Partial<ZipName>, string | null]>([
    [{}, null],
    [{ path: 'é', field: 'é', encoding: 'field' }, null],
    [{ field: 'a', encoding: 'flag' }, null],
    [
      { field: 'b', encoding: 'flag' },
      '"a" is "b" in its extra field: pack again, with one name for each entry',
    ],
    [{ path: '../a' }, '"../a" is not a path inside the zip'],
    [{ plain: '../a', encoding: 'field' }, '"a" is not a path inside the zip'],
    [{ field: '../a', encoding: 'flag' }, '"a" is not a path inside the zip'],
    [{ path: '..\\a' }, '"..\\a" is not a path inside the zip'],
    [
      { path: 'a\\b' },
      '"a\\b" has a backslash: it was packed on Windows by an old program; pack again with 7-Zip or PowerShell 7',
    ],
    [
      { path: '\ufffd', encoding: 'invalid' },
      '"\ufffd" has the UTF-8 flag, but its name is not UTF-8: pack again with a program that writes names in UTF-8',
    ],
  ])('of %j is %j', (name, problem) => {
    expect(problemOf(name)).toBe(problem);
  });
});

it.each([
  [0, 0, null],
  [8, 0x808, null],
  [8, 1, 'is encrypted: pack again without a password'],
  [8, 0x2000, 'is encrypted: pack again without a password'],
  [9, 0, 'is packed with Deflate64 (method 9): pack again with deflate'],
  [255, 0, 'is packed with an unknown program (method 255): pack again with deflate'],
])('content of method %d with the flags %d: %j', (compressionMethod, generalPurposeBitFlag, problem) => {
  expect(findContentProblem({ compressionMethod, generalPurposeBitFlag })).toBe(problem);
});

it('says why a zip cannot be read', () => {
  expect(describeUnreadable(new Error('It ends.'))).toBe('it cannot be read as a zip: It ends');
  expect(describeUnreadable('text')).toBe('it cannot be read as a zip: unknown error');
});

it('shows paths with single backslashes, without control characters, and shortened', () => {
  expect(shownPath('a\\b\nc')).toBe('"a\\b\\nc"');
  expect(shownPath('x'.repeat(300))).toBe(`"${'x'.repeat(200)}…"`);
});
