import { jest } from '@jest/globals';
import { stopsWithin } from './stops-within.js';

const never = new Promise<never>(() => undefined);
const reason = new Error('canceled');

it('gives what the work gives while nothing stops it', async () => {
  const { signal } = new AbortController();
  const onLate = jest.fn();
  expect(await stopsWithin(Promise.resolve(1), signal, 0, onLate)).toBe(1);
  await expect(stopsWithin(Promise.reject(new Error('failed')), signal, 0, onLate)).rejects.toThrow('failed');
  expect(onLate).not.toHaveBeenCalled();
});

it('waits for work that stops, and throws what it throws', async () => {
  const onLate = jest.fn();
  const work = new Promise((_resolve, reject) => setTimeout(() => reject(new Error('cleaned')), 20));
  await expect(stopsWithin(work, AbortSignal.abort(reason), 60_000, onLate)).rejects.toThrow('cleaned');
  expect(onLate).not.toHaveBeenCalled();
});

it('goes on without work that does not stop', async () => {
  const controller = new AbortController();
  const onLate = jest.fn();
  const end = stopsWithin(never, controller.signal, 1, onLate);
  controller.abort(reason);
  await expect(end).rejects.toBe(reason);
  expect(onLate).toHaveBeenCalledTimes(1);
});
