import fc from 'fast-check';
import { comparable, countLines, linesWith } from './search-text.js';

const found = (payload: string, text: string): number[] => linesWith(payload, comparable(text));

it('finds the lines that contain a text, in any case, each once', () => {
  const payload = 'Error: a\nnone\nan ERROR and an error\n\nerror';
  expect(found(payload, 'error')).toEqual([0, 2, 4]);
  expect(found(payload, 'nothing')).toEqual([]);
  expect(found('', 'a')).toEqual([]);
});

it.each([
  ['\x1b[31mnpm \x1b[1;33merror\x1b[0m code', 'npm error code'],
  ['\\x1b[31mnpm \\033[38:2:1mer\\x1b[mror', 'npm error'],
  ['npm error', '\x1b[31mnpm\x1b[0m error'],
])('ignores colors: %j contains %j', (payload, text) => {
  expect(found(`before\n${payload}\nafter`, text)).toEqual([1]);
});

it('takes the text as it is: signs have no meaning', () => {
  expect(found('a.c\nabc\n[x]*\n$^', 'a.c')).toEqual([0]);
  expect(found('a.c\nabc\n[x]*\n$^', '[X]*')).toEqual([2]);
  expect(found('a\nb', 'a\nb')).toEqual([]);
  expect(found('ΟΔΟΣ\nοδοσ α', 'οδοσ')).toEqual([0, 1]);
});

it('finds in many lines what it finds in each', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '\x1b', '[', 'm', '0'), maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.stringMatching(/^[abAB]{1,3}$/),
      (lines, text) => {
        const each = lines.flatMap((one, index) => (found(one, text).length > 0 ? [index] : []));
        expect(found(lines.join('\n'), text)).toEqual(each);
      },
    ),
  );
});

it('counts lines', () => {
  expect(['', 'a', 'a\n', '\n\n', 'a\nb'].map(countLines)).toEqual([1, 1, 2, 3, 2]);
});
