import { withAsciiDigits } from './decimal-digits.js';

describe('withAsciiDigits', () => {
  it.each([
    ['21', '21'],
    ['٢١', '21'],
    ['۱.۴.۰', '1.4.0'],
    ['২১', '21'],
    ['２1', '21'],
    ['𝟚𝟙', '21'],
    ['النسخة ٢', 'النسخة 2'],
    ['½ ² Ⅷ 五', '½ ² Ⅷ 五'],
    ['\ud800٢', '\ud8002'],
    ['', ''],
  ])('turns %s into %s', (text, expected) => {
    expect(withAsciiDigits(text)).toBe(expected);
  });

  it('knows every decimal digit of Unicode', () => {
    let count = 0;
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      const character = String.fromCodePoint(codePoint);
      if (!/\p{Nd}/u.test(character)) continue;
      // Those of a script stand together, and begin with its zero.
      expect(withAsciiDigits(character)).toBe(String(count++ % 10));
    }
    expect(count).toBeGreaterThan(700);
  });
});
