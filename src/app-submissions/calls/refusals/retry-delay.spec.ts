import { OutboundRefusedError } from '../../../common/http/outbound/outbound-refused.error.js';
import type { Refusal } from './refusal.js';
import { refusalOfError, retryDelay } from './retry-delay.js';
import { StoreUnreachableError } from '../store-session.js';

const again = (values: Partial<Refusal> = {}): Refusal => ({
  code: 'busy',
  sentence: 'The store is busy.',
  retry: 'again',
  ...values,
});
/** The waits until it is given up. */
function delaysOf(refusal: Refusal): number[] {
  const delays: number[] = [];
  for (let attempt = 1; attempt < 1000; attempt++) {
    const delay = retryDelay(refusal, attempt);
    if (delay === null) return delays;
    delays.push(delay);
  }
  throw new Error('It never ends.');
}

it.each(['never', 'after-action'] as const)('does not repeat what helps %s', (retry) => {
  expect(retryDelay(again({ retry }), 1)).toBeNull();
});

it('waits longer each time, for ten minutes at most, and gives up', () => {
  expect(delaysOf(again())).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
  expect(delaysOf(again({ afterSeconds: 60 }))).toEqual([60, 120, 240, 480, 600, 600, 600, 600, 600]);
});

it('never waits shorter than the store asks for', () => {
  expect(delaysOf(again({ afterSeconds: 3600 }))).toEqual(Array.from({ length: 9 }, () => 3600));
});

it('signs in again twice', () => {
  expect(delaysOf(again({ does: 'new-token' }))).toEqual([1, 2]);
});

it('waits for seconds and then for minutes while the store unpacks a file', () => {
  const delays = delaysOf(again({ does: 'wait-for-processing', afterSeconds: 2 }));
  expect(delays.slice(0, 11)).toEqual([2, 4, 6, 8, 10, 12, 14, 15, 15, 15, 60]);
  expect(delays).toHaveLength(39);
});

it('repeats a call without an answer, and knows errors of the server itself', () => {
  const error = new StoreUnreachableError(new OutboundRefusedError('timeout', 'There was no response.'));
  expect(refusalOfError(error)?.refusal).toMatchObject({
    retry: 'again',
    sentence: expect.stringContaining('There was no response. Slipway tries again.') as string,
  });
  expect(refusalOfError(new Error('The database is away.'))).toBeNull();
});
