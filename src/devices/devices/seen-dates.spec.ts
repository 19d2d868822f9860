import { seenDates } from './seen-dates.js';

describe('seenDates', () => {
  const lastSeenAt = new Date('2026-03-01T23:59:59.999Z');

  it('counts back from the day that the device was last seen on, across months', () => {
    expect(seenDates(lastSeenAt, 0b1011n)).toEqual(['2026-03-01', '2026-02-28', '2026-02-26']);
  });

  it('reaches as far back as days are kept', () => {
    expect(seenDates(lastSeenAt, (1n << 61n) | 1n)).toEqual(['2026-03-01', '2025-12-30']);
  });
});
