import fc from 'fast-check';
import { assertNotFrozen, freezeAt } from './freeze.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 11, 24, 0, minute));
const window = (from: number, to: number, reason: string | null = null) => ({
  from: at(from).toISOString(),
  to: at(to).toISOString(),
  reason,
});

describe('a freeze', () => {
  it('begins with its first instant and ends before its last', () => {
    const windows = [window(10, 20)];
    expect(freezeAt(windows, new Date(at(10).getTime() - 1))).toBeNull();
    expect(freezeAt(windows, at(10))).toEqual({ until: at(20), reason: null });
    expect(freezeAt(windows, new Date(at(20).getTime() - 1))).not.toBeNull();
    expect(freezeAt(windows, at(20))).toBeNull();
  });

  it('lasts until windows that overlap or touch are over, in whatever order they stand', () => {
    const windows = [window(40, 50), window(20, 30), window(10, 25, 'Holidays'), window(30, 35)];
    expect(freezeAt(windows, at(12))).toEqual({ until: at(35), reason: 'Holidays' });
    expect(freezeAt(windows, at(37))).toBeNull();
  });

  it('ends at a time that is not frozen, whatever the windows', () => {
    const windows = fc.array(
      fc
        .tuple(fc.nat(100), fc.integer({ min: 1, max: 50 }))
        .map(([from, length]) => window(from, from + length)),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(windows, fc.nat(150), (list, minute) => {
        const freeze = freezeAt(list, at(minute));
        const isCovered = list.some(
          ({ from, to }) => new Date(from) <= at(minute) && at(minute) < new Date(to),
        );
        expect(freeze !== null).toBe(isCovered);
        if (freeze !== null) expect(freezeAt(list, freeze.until)).toBeNull();
      }),
    );
  });

  it('is reported with its end and its reason', () => {
    const channel = { name: 'production', freezeWindows: [window(10, 20, 'Holidays.')] };
    expect(() => assertNotFrozen(channel, at(15))).toThrow(
      'The channel production is frozen until 2026-12-24T00:20:00.000Z (Holidays).',
    );
    expect(() => assertNotFrozen(channel, at(25))).not.toThrow();
  });
});
