import { RecentIds } from './recent-ids.js';

const HOUR = 3_600_000;

it('knows ids until the period ends', () => {
  const ids = new RecentIds(HOUR);
  ids.add('a', 0);
  expect(ids.has('a', HOUR - 1)).toBe(true);
  expect(ids.has('b', HOUR - 1)).toBe(false);
  expect(ids.has('a', HOUR)).toBe(false);
  expect(ids.has('a', 0)).toBe(false);
});

it('forgets them when there are too many', () => {
  const ids = new RecentIds(HOUR, 2);
  for (const id of ['a', 'b', 'c']) ids.add(id, 0);
  expect(['a', 'b', 'c'].map((id) => ids.has(id, 0))).toEqual([false, false, true]);
});
