import { DamageLimit } from './blob-checks.service.js';

const MINUTE = 60_000;

/** As after so many reads of sound and of damaged files. */
function limitAfter(sound: number, damaged: number): DamageLimit {
  const limit = new DamageLimit();
  for (let i = 0; i < sound; i++) limit.count(false, 0);
  for (let i = 0; i < damaged; i++) limit.count(true, 0);
  return limit;
}

it.each([
  [0, 0],
  [0, 98],
  [97, 1],
  [99, 0],
  [990, 9],
])('lets the next damage be marked after %d sound and %d damaged files', (sound, damaged) => {
  expect(limitAfter(sound, damaged).allowsMore(0)).toBe(true);
});

it.each([
  [0, 99],
  [98, 1],
  [990, 10],
])('is reached after %d sound and %d damaged files', (sound, damaged) => {
  expect(limitAfter(sound, damaged).allowsMore(0)).toBe(false);
});

it('forgets reads after an hour', () => {
  const limit = limitAfter(98, 2);
  expect(limit.allowsMore(59 * MINUTE)).toBe(false);
  expect(limit.allowsMore(61 * MINUTE)).toBe(true);
  for (let i = 0; i < 99; i++) limit.count(false, 61 * MINUTE);
  expect(limit.allowsMore(61 * MINUTE)).toBe(true);
  limit.count(true, 61 * MINUTE);
  expect(limit.allowsMore(62 * MINUTE)).toBe(false);
});

it('takes little memory, however many reads there are', () => {
  const limit = new DamageLimit();
  for (let at = 0; at < 600 * MINUTE; at += 1000) limit.count(false, at);
  expect(limit.size).toBeLessThanOrEqual(61);
});
