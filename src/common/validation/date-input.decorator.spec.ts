import { toDate } from './date-input.decorator.js';

describe('toDate', () => {
  it.each([
    ['2030-01-02', '2030-01-02T00:00:00.000Z'],
    ['2030-01-02T03:04', '2030-01-02T03:04:00.000Z'],
    ['2030-01-02T03:04:05', '2030-01-02T03:04:05.000Z'],
    ['2030-01-02T03:04:05.678901Z', '2030-01-02T03:04:05.678Z'],
    ['2030-01-02T03:04:05+0230', '2030-01-02T00:34:05.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    [978_307_200_000, '2001-01-01T00:00:00.000Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    [1_893_553_445_678, '2030-01-02T03:04:05.678Z'],
  ])('reads %j', (value, expected) => {
    expect((toDate(value) as Date).toISOString()).toBe(expected);
  });

  it.each([
    '',
    'tomorrow',
    '2030',
    '2030-13-01',
    '2030-02-29',
    '2030-01-02 03:04',
    '1893553445678',
    1_798_790_400,
    978_307_199_999,
    0,
    -1,
    null,
    {},
    [],
  ])('leaves %j to validation', (value) => {
    expect(toDate(value)).toBe(value);
  });

  it.each(['2030-01-02T25:00Z', '2030-01-02T03:04:05+99:00', Number.MAX_VALUE, Number.NaN])(
    'makes no valid date of %j',
    (value) => {
      expect((toDate(value) as Date).getTime()).toBeNaN();
    },
  );
});
