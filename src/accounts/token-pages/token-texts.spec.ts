import { limitOf } from './token-texts.js';

describe('the limits of a token', () => {
  const known = new Map([
    ['1', 'Shop'],
    ['2', 'Cafe'],
  ]);

  it.each<[readonly string[] | null, string | null]>([
    [null, null],
    [['1'], 'only Shop'],
    [['2', '1'], 'only Cafe, Shop'],
    [['1', '3'], 'only Shop, 1 other app'],
    [['3', '4'], 'only 2 other apps'],
  ])('name what is known, and count what is not: %j', (ids, text) => {
    expect(limitOf('app', ids, known)).toBe(text);
  });
});
