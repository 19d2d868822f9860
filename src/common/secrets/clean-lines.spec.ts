import fc from 'fast-check';
import { cleanLines, cleanShortText } from './clean-lines.js';
import { SecretMasker } from './secret-masker.js';

const none = SecretMasker.of([]);
const ESC = '\x1b';
/** The escape character, and as the official command-line tool reads it from a log. */
const escapes = [ESC, '\\033', '\\x1b'];

/** Cleans a log that arrives in pieces. */
function clean(pieces: readonly Buffer[], masker = none): string {
  const parts: Buffer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const take = (bytes: Buffer, isEnd: boolean): void => {
    const cleaned = cleanLines(bytes, masker, isEnd);
    for (const line of cleaned.lines) parts.push(line.bytes, Buffer.from(line.endsLine ? '\n' : ''));
    rest = cleaned.rest;
  };
  for (const piece of pieces) take(Buffer.concat([rest, piece]), false);
  take(rest, true);
  return Buffer.concat(parts).toString();
}

const whole = (text: string, masker = none): string => clean([Buffer.from(text)], masker);

/** What the official command-line tool prints of a line. */
const unescaped = (text: string): string => text.replaceAll('\\033', ESC).replaceAll('\\x1b', ESC);
/** A text without colors. */
// oxlint-disable-next-line no-control-regex -- that is the point
const plain = (text: string): string => unescaped(text).replaceAll(/\x1b\[[\d;:]*m/g, '');

describe.each(escapes)('with %j, a log', (escape) => {
  it('keeps colors', () => {
    const text = `${escape}[31mred${escape}[0m ${escape}[38;5;9;1mbold${escape}[m ${escape}[4:3mcurly`;
    expect(whole(text)).toBe(text);
  });

  it.each([
    '[2J',
    '[1A',
    '[2K',
    '[?25l',
    '[>4;2m',
    '[12',
    '[',
    'c',
    '7',
    '(B',
    ']0;title\x07',
    `]0;title${escape}\\`,
    `]8;;https://example.com${escape}\\`,
    `P1$r${ESC}\\`,
    '',
  ])('loses %j', (rest) => {
    expect(whole(`a${escape}${rest}\nb`)).toBe('a\nb');
  });

  it('keeps the text behind a title without an end', () => {
    expect(whole(`a${escape}]0;title`)).toBe('a0;title');
  });
});

/** A backspace, and characters that change the direction of text. */
const disguises = ['\b', '\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'];

it.each(disguises)('loses %j, with which a reader sees another text', (character) => {
  expect(whole(`a${character}b ${character}${character}c`)).toBe('ab c');
  expect(whole('“— … ✓ │ ‹é›” ،')).toBe('“— … ✓ │ ‹é›” ،');
});

it.each([
  '\\x1\\x1b[2Jb[2J',
  '\\\\x1b[2Jx1b[2J',
  '\\0\\033[2J33[2J',
  `\\x1${ESC}[2J${ESC}[1Ab[2J`,
  `\\x${ESC}]0;t\x07${ESC}[1A1b[2J`,
  `${ESC}${ESC}[2J[2J`,
  `${ESC}[3\\x1b[2J1A`,
])('makes no sequence of the parts of %j', (text) => {
  expect(plain(whole(text))).not.toContain(ESC);
});

it('makes no character of the parts of one', () => {
  const bytes = Buffer.from('§');
  const text = clean([bytes.subarray(0, 1), Buffer.from(`${ESC}[2J`), bytes.subarray(1)]);
  expect(text).not.toContain('§');
});

it('leaves other backslashes', () => {
  const text = 'C:\\Users\\x1a \\n \\u001b[2J \\e[2J';
  expect(whole(text)).toBe(text);
});

describe('a secret', () => {
  const secret = 'hunter2-and-more';
  const masker = SecretMasker.of([secret, `\\x1b[0mmore${ESC}[2K secrets`]);
  const base64 = Buffer.from(secret).toString('base64');

  const dividers = [`${ESC}[2K`, `${ESC}]0;t\x07`, '\r', ...disguises];
  it.each([...escapes.map((escape) => `${escape}[1m`), ...dividers])(
    'that %j divides is masked with all in it',
    (divider) => {
      for (const form of [secret, base64]) {
        const text = `a ${[...form].join(divider)} b ${form.slice(0, 9)}${divider}${form.slice(9)}`;
        expect(plain(whole(text, masker))).not.toMatch(/unter|dW50/);
      }
      expect(whole(`a ${[...secret].join(divider)}!`, masker)).toBe('a ***!');
    },
  );

  it('leaves colors around it', () => {
    expect(whole(`${ESC}[1m${secret}${ESC}[0m!`, masker)).toBe(`${ESC}[1m***${ESC}[0m!`);
    expect(cleanShortText(`${secret} ${ESC}[2J\n${secret}`, masker)).toBe('*** \n***');
  });

  it('that has sequences itself is masked', () => {
    expect(whole(`a \\x1b[0mmore${ESC}[2K secrets b`, masker)).toBe('a \\x1b[0m*** b');
  });

  it('is masked wherever a long line is cut', () => {
    for (let before = 65_536 - 200; before < 65_536 + 10; before += 3) {
      const text = 'x'.repeat(before) + [...secret].join(`${ESC}[1m`) + 'y'.repeat(before);
      expect(whole(text, masker)).toBe(`${'x'.repeat(before)}***${'y'.repeat(before)}`);
    }
  });
});

it('is the same however the bytes are split, with nothing of secrets and sequences', () => {
  const masker = SecretMasker.of(['hunter2!', 'a&b c=ü']);
  const texts = ['hunter2!', 'hun', 'ter2!', '\n', '\r', '§', 'a&amp;b', ' c=ü', 'x'.repeat(70_000)];
  const controls = [
    ESC,
    '\\x1b',
    '\\x1',
    'b[2J',
    '\\033',
    '[1m',
    '[2J',
    ']0;',
    '\x07',
    '\\',
    '0',
    '\b',
    '\u202e',
  ];
  const part = fc.constantFrom(...texts, ...controls, `${ESC}[0m`.repeat(200));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 24 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, places) => {
      const bytes = Buffer.from(parts.join(''));
      const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b)];
      const cleaned = clean([bytes], masker);
      const split = cuts.map((from, index) => bytes.subarray(from, cuts[index + 1] ?? bytes.length));
      expect(clean(split, masker)).toBe(cleaned);
      expect(plain(cleaned)).not.toContain(ESC);
      expect(plain(cleaned).replaceAll('\r', '')).not.toContain('hunter2!');
      // What is clean stays as it is: runners clean their logs, and the server once more.
      expect(whole(cleaned, masker)).toBe(cleaned);
    }),
    { numRuns: 500 },
  );
});
