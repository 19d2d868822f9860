import { JsonValue } from './json-value.js';

const exactText = (value: unknown): string | null => new JsonValue(value).exactText;

it('reads a text to compare with its blanks', () => {
  expect(exactText(' Beta\u00A0 ')).toBe(' Beta\u00A0 ');
  expect(exactText(' ')).toBe(' ');
  expect(exactText('')).toBeNull();
  expect(exactText(1)).toBe('1');
  expect(exactText({})).toBeNull();
});

it('makes a text to compare one that can be stored, and that equals no other', () => {
  expect(exactText('a\u0000b\n')).toBe('a\uFFFDb\uFFFD');
  expect(exactText('a\uD800')).toBe('a\uFFFD');
  expect(exactText('x'.repeat(2000))).toHaveLength(1000);
});
