import { matches } from './version.js';

describe('matches', () => {
  const id = '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa';
  const object = { id, version: 11 };

  it('compares id and version, not the hash', () => {
    expect(matches([`"${id}.11.abc"`], object)).toBe(true);
    expect(matches(['"other"', `"${id}.11.def"`], object)).toBe(true);
  });

  it.each([
    `"${id}.1.abc"`,
    `"${id}.111.abc"`,
    `"${id}.11"`,
    `W/"${id}.11.abc"`,
    `"${id.replace('0199', '0198')}.11.abc"`,
    `"x${id}.11.abc"`,
    '"11.abc"',
    '""',
  ])('refuses %s', (tag) => {
    expect(matches([tag], object)).toBe(false);
  });
});
