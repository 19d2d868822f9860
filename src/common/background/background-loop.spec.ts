import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { BackgroundLoop } from './background-loop.js';

const LONG = 60_000;

/** A loop that counts its rounds, and what each of them does besides. */
function counting(during: (round: number, stopping: AbortSignal) => Promise<void> = () => Promise.resolve()) {
  const counts = { rounds: 0 };
  class Counting extends BackgroundLoop {
    protected override async round(stopping: AbortSignal): Promise<number> {
      counts.rounds++;
      await during(counts.rounds, stopping);
      return LONG;
    }
  }
  return { counts, loop: new Counting() };
}

const settle = () => sleep(20);

it('rests after a round until it is woken', async () => {
  const { counts, loop } = counting();
  await loop.start();
  await settle();
  expect(counts.rounds).toBe(1);
  loop.wake();
  await settle();
  expect(counts.rounds).toBe(2);
  await loop.stop();
});

it('does another round when it was woken during one', async () => {
  const { counts, loop } = counting((round) => {
    if (round === 1) loop.wake();
    return Promise.resolve();
  });
  await loop.start();
  await settle();
  expect(counts.rounds).toBe(2);
  await loop.stop();
});

it('goes on after a round that fails', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const { counts, loop } = counting((round) =>
    round === 1 ? Promise.reject(new Error('no database')) : Promise.resolve(),
  );
  await loop.start();
  await settle();
  loop.wake();
  await settle();
  expect(counts.rounds).toBe(2);
  expect(warn).toHaveBeenCalledTimes(1);
  await loop.stop();
});

it('aborts the round, waits for it, and begins no other', async () => {
  let ended = false;
  const { counts, loop } = counting(async (_round, stopping) => {
    await sleep(LONG, undefined, { signal: stopping }).catch(() => undefined);
    await settle();
    ended = true;
  });
  await loop.start();
  await settle();
  await loop.stop();
  expect(ended).toBe(true);
  expect(counts.rounds).toBe(1);
});

it('stops without having been started', async () => {
  await counting().loop.stop();
});
