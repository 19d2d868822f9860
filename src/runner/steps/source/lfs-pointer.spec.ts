import { namePaths, parsePointer } from './lfs-pointer.js';

const OID = 'ab'.repeat(32);
const START = 'version https://git-lfs.github.com/spec/v1\n';

it.each([
  ['as git-lfs writes it', `${START}oid sha256:${OID}\nsize 12345\n`],
  ['with extensions', `${START}ext-0-fold sha256:${OID}\noid sha256:${OID}\nsize 12345\n`],
  ['with Windows line ends', `${START}oid sha256:${OID}\nsize 12345\n`.replaceAll('\n', '\r\n')],
  ['without its last line end', `${START}oid sha256:${OID}\nsize 12345`],
])('a pointer %s is one', (_what, text) => {
  expect(parsePointer(Buffer.from(text))).toEqual({ oid: OID, size: 12_345 });
});

it.each([
  ['a text about one', `See ${START}oid sha256:${OID}\nsize 12345\n`],
  ['more than one', `${START}oid sha256:${OID}\nsize 12345\nmore\n`],
  ['one without a size', `${START}oid sha256:${OID}\n`],
  ['one with another hash', `${START}oid md5:${OID}\nsize 1\n`],
  ['a longer file', `${START}${`ext-0-x ${'y'.repeat(90)}\n`.repeat(11)}oid sha256:${OID}\nsize 1\n`],
  ['nothing', ''],
])('%s is none', (_what, text) => {
  expect(parsePointer(Buffer.from(text))).toBeNull();
});

it('names three paths, without control characters', () => {
  expect(namePaths(['a'])).toBe('a');
  expect(namePaths(['a', 'b\n', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
});
