import fc from 'fast-check';
import { cutLines, MAX_LINE } from './job-log-writer.service.js';
import { SecretMasker } from '../../common/secrets/secret-masker.js';

const none = SecretMasker.of([]);

/** Cuts a log that arrives in pieces. */
function linesOf(pieces: readonly Buffer[], masker: SecretMasker): string[] {
  const lines: string[] = [];
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of pieces) {
    const cut = cutLines(Buffer.concat([rest, piece]), masker, false);
    lines.push(...cut.lines);
    rest = cut.rest;
  }
  const last = cutLines(rest, masker, true);
  expect(last.rest).toHaveLength(0);
  return [...lines, ...last.lines];
}

/** Splits bytes at the given places. */
function split(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b)];
  return cuts.map((from, index) => bytes.subarray(from, cuts[index + 1] ?? bytes.length));
}

const whole = (text: string | Buffer, masker = none): string[] => linesOf([Buffer.from(text)], masker);

it('cuts at line ends of both kinds, and keeps empty lines', () => {
  expect(whole('a\r\n\nb\rc\nlast')).toEqual(['a', '', 'b\rc', 'last']);
  expect(whole('a\n')).toEqual(['a']);
  expect(whole('')).toEqual([]);
});

it('waits for the end of a line', () => {
  const { lines, rest } = cutLines(Buffer.from('one\ntw'), none, false);
  expect([lines, rest.toString()]).toEqual([['one'], 'tw']);
});

it('makes valid text of NUL, control characters and bytes that are not UTF-8', () => {
  expect(whole(Buffer.from([65, 0, 66, 7, 0xff, 9, 27, 10]))).toEqual(['A\uFFFDB\uFFFD\uFFFD\t']);
  expect(whole('a\u009b2Jb')).toEqual(['a\uFFFD2Jb']);
});

it.each(['What to do:', 'WHAT TO DO: run this', '\x1b[1mWhat\x1b[0m to\x1b[31m do:', 'W\bhat to\u202e do:'])(
  'lets no line read as the heading of advice: %j',
  (text) => {
    const [line = ''] = whole(`a ${text}`);
    // oxlint-disable-next-line no-control-regex -- that is the point
    expect(line.replaceAll(/\x1b\[\d*m/g, '').toLowerCase()).toMatch(/^a what to do\\u003a/);
  },
);

it('cuts long lines between characters', () => {
  const lines = whole('€'.repeat(MAX_LINE));
  expect(lines.join('')).toBe('€'.repeat(MAX_LINE));
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(MAX_LINE + 3);
});

it('cuts a line of 10 MB, however it arrives', () => {
  const bytes = Buffer.alloc(10_000_000, 'x');
  const pieces = split(
    bytes,
    Array.from({ length: 160 }, (_, index) => index * 65_536),
  );
  const lines = linesOf(pieces, none);
  expect(lines.map(({ length }) => length)).toEqual(whole(bytes).map(({ length }) => length));
  expect(lines.join('')).toHaveLength(10_000_000);
});

describe('with secrets', () => {
  const secrets = [
    'hunter2!',
    'a&b c=ü',
    '-----BEGIN KEY-----\nMIIEvAIB\n-----END KEY-----',
    'x'.repeat(9000),
  ];
  const masker = SecretMasker.of(secrets);
  const forms: readonly string[] = [
    ...secrets,
    Buffer.from('user:hunter2!').toString('base64'),
    Buffer.from('me:hunter2!').toString('base64url'),
    encodeURIComponent('a&b c=ü'),
    `{"key":${JSON.stringify(secrets[2])}}`,
    Buffer.from(secrets[2] ?? '').toString('base64'),
  ];

  it.each(forms)('masks %p', (form) => {
    const text = whole(`before ${form} after`, masker).join('\n');
    expect(text).toContain('***');
    for (const part of ['unter2', 'dW50ZXIy', 'IEvAIB', 'b%20c', 'b c=', 'xxxxxxxx', 'SUlFdkFJ']) {
      expect(text).not.toContain(part);
    }
    expect(text.startsWith('before ') && text.endsWith(' after')).toBe(true);
  });

  it('masks the longest of several, and leaves texts of three characters', () => {
    expect(whole('abcdef abc', SecretMasker.of(['abcd', 'abcdef', 'abc']))).toEqual(['*** abc']);
  });

  const part = fc.oneof(
    fc.constantFrom(...forms, '\n', '\r\n', '\0', 'hunter', 'x'.repeat(20_000), '€ß'),
    fc.string({ maxLength: 40 }),
  );
  const log = fc.oneof(
    fc.array(part, { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
  );

  it('gives the same lines however the bytes are split, and no secret', () => {
    fc.assert(
      fc.property(log, fc.array(fc.nat(), { maxLength: 12 }), (bytes, places) => {
        const lines = linesOf(split(bytes, places), masker);
        expect(lines).toEqual(whole(bytes, masker));
        expect(lines.filter((line) => line.includes('hunter2!') || line.includes('\0'))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});
