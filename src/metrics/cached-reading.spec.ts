import { jest } from '@jest/globals';
import { CachedReading } from './cached-reading.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('asks once for several metrics, and again when the result is old', async () => {
  const query = jest.fn(() => Promise.resolve({ pending: query.mock.calls.length }));
  const reading = new CachedReading(query, 5000);
  expect(await Promise.all([reading.read(), reading.read()])).toEqual([{ pending: 1 }, { pending: 1 }]);
  jest.advanceTimersByTime(4999);
  expect(await reading.read()).toEqual({ pending: 1 });
  jest.advanceTimersByTime(1);
  expect(await reading.read()).toEqual({ pending: 2 });
});

it('shows nothing while the database does not respond, and asks it only once', async () => {
  const { promise, resolve } = Promise.withResolvers<{ pending: number }>();
  const query = jest.fn(() => promise);
  const reading = new CachedReading(query, 5000, 1);
  for (let scrapes = 0; scrapes < 3; scrapes++) {
    expect(await reading.read()).toBeNull();
    jest.advanceTimersByTime(15_000);
  }
  expect(query).toHaveBeenCalledTimes(1);
  resolve({ pending: 7 });
  expect(await reading.read()).toEqual({ pending: 7 });
});

it('shows nothing after a failure, and asks again', async () => {
  const query = jest.fn<() => Promise<{ pending: number }>>();
  query.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce({ pending: 1 });
  const reading = new CachedReading(query, 5000);
  expect(await reading.read()).toBeNull();
  expect(await reading.read()).toEqual({ pending: 1 });
});
