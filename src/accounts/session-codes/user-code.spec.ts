import { formatUserCode, generateUserCode, parseUserCode } from './user-code.js';

it('reads its own codes, however they are typed', () => {
  for (let n = 0; n < 200; n++) {
    const code = generateUserCode();
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
    const shown = formatUserCode(code);
    expect(shown).toBe(`${code.slice(0, 4)}-${code.slice(4)}`);
    for (const typed of [code, shown, shown.toLowerCase(), ` ${code.slice(0, 4)} – ${code.slice(4)} `]) {
      expect(parseUserCode(typed)).toBe(code);
    }
  }
});

it.each(['', 'BCDFGHJ', 'BCDFGHJKL', 'BCDFGHJA', 'BCDFGH12', 'ßCDFGHJK', 'BCDF_GHJK'])(
  'refuses %j',
  (typed) => {
    expect(parseUserCode(typed)).toBeNull();
  },
);
