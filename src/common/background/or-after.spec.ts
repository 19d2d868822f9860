import { setTimeout as sleep } from 'node:timers/promises';
import { orAfter } from './or-after.js';

const LONG = 60_000;

it('has the result of work that ends in time', async () => {
  expect(await orAfter(Promise.resolve('done'), LONG, 'late')).toBe('done');
});

it('fails with work that fails in time', async () => {
  await expect(orAfter(Promise.reject(new Error('failed')), LONG, 'late')).rejects.toThrow('failed');
});

it('does not wait for work that is late, and ignores how it ends', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await orAfter(promise, 5, 'late')).toBe('late');
  reject(new Error('too late'));
  await sleep(5);
});
