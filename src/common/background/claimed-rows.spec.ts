import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { NotFoundError } from '../errors/app-error.js';
import { StorageFailure } from '../errors/storage-failure.js';
import { makeClaimed } from './claimed-rows.js';
import { AccountTurns } from './account-turns.js';

const logger = new Logger('Test');
let warn: jest.SpiedFunction<Logger['warn']>;

beforeEach(() => {
  warn = jest
    .spyOn(Logger.prototype, 'warn')
    .mockReset()
    .mockImplementation(() => undefined);
});

/** Makes the files of rows that failed so often before. @returns what was done with them, in this order */
async function run(
  attempts: readonly number[],
  make: (attempts: number, stop: () => void) => Promise<void>,
): Promise<string[]> {
  const left = attempts.map((before) => ({ attempts: before + 1, account: 'acme' }));
  const events: string[] = [];
  const stopping = new AbortController();
  const note = (event: string) => async (claim: { attempts: number }) =>
    void events.push(`${event} ${claim.attempts}`);
  const rows = {
    claim: async (except: readonly string[]) => (except.length === 0 ? (left.shift() ?? null) : null),
    release: note('release'),
    giveUp: note('give up'),
  };
  const makeOne = async (claim: { attempts: number }) => {
    await make(claim.attempts, () => stopping.abort());
    events.push(`made ${claim.attempts}`);
  };
  await makeClaimed(rows, new AccountTurns(1), stopping.signal, logger, makeOne);
  return events;
}

it('makes everything that can be claimed', async () => {
  expect(await run([0, 4], () => Promise.resolve())).toEqual(['made 1', 'made 5']);
});

it('goes on after a failure, and gives up after ten', async () => {
  const make = (attempts: number) => (attempts > 2 ? Promise.reject(new Error('broken')) : Promise.resolve());
  expect(await run([8, 9, 1], make)).toEqual(['give up 10', 'made 2']);
  expect(warn).toHaveBeenCalledTimes(2);
});

it('does not give up because of an outage of the storage', async () => {
  expect(await run([9], () => Promise.reject(new StorageFailure('It is away.', 'unavailable')))).toEqual([]);
});

it('forgets what was deleted in the meantime', async () => {
  expect(
    await run([9, 0], (attempts) =>
      attempts > 1 ? Promise.reject(new NotFoundError('Blob')) : Promise.resolve(),
    ),
  ).toEqual(['made 1']);
  expect(warn).not.toHaveBeenCalled();
});

it('gives the claim back when the process stops, and claims no other', async () => {
  const make = (_attempts: number, stop: () => void) => {
    stop();
    return Promise.reject(new Error('aborted'));
  };
  expect(await run([9, 0], make)).toEqual(['release 10']);
  expect(warn).not.toHaveBeenCalled();
});
