import { jest } from '@jest/globals';
import { ServerBusyError } from '../errors/app-error.js';
import { Limits } from './limits.js';
import { type ProcessLimit, processLimits, type SharedCapacity } from './shared-capacity.js';

const names = Object.keys(processLimits) as ProcessLimit[];

/** Organizations are named by their account and a number. */
const newLimits = (): Limits =>
  new Limits({ of: (tenantId) => Promise.resolve(tenantId.replace(/-.*/, '')) });

afterEach(() => jest.useRealTimers());

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe.each(names)('%s', (name) => {
  const { perAccount, mayWait = Infinity, longestWait }: SharedCapacity = processLimits[name];

  it('serves another account immediately, whatever thirty organizations of one account hold and wait for', async () => {
    const limits = newLimits();
    const release = Promise.withResolvers<void>();
    let held = 0;
    const outcomes = Array.from({ length: 90 }, (_, n) =>
      limits
        .run(name, `greedy-${n % 30}`, () => {
          held++;
          return release.promise;
        })
        .then(
          () => 'done',
          (error: unknown) => (error instanceof ServerBusyError ? 'busy' : String(error)),
        ),
    );
    await settle();
    expect(held).toBe(perAccount);
    expect(await limits.run(name, 'other-1', () => Promise.resolve('served'))).toBe('served');
    const use = limits.uses().find((each) => each.name === name)?.uses;
    expect(use).toMatchObject([{ account: 'greedy', running: perAccount }]);
    release.resolve();
    const all = await Promise.all(outcomes);
    expect(all.filter((outcome) => outcome === 'done')).toHaveLength(Math.min(90, perAccount + mayWait));
    expect(all.filter((outcome) => outcome === 'busy')).toHaveLength(Math.max(0, 90 - perAccount - mayWait));
  });

  it('ends a wait after the time of the table', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    const limits = newLimits();
    const release = Promise.withResolvers<void>();
    const running = Array.from({ length: perAccount }, (_, n) =>
      limits.run(name, `greedy-${n}`, () => release.promise),
    );
    await settle();
    const ends: string[] = [];
    const late = limits.run(name, 'greedy-late', () => Promise.resolve()).finally(() => ends.push('late'));
    late.catch(() => undefined);
    await settle();
    await jest.advanceTimersByTimeAsync(longestWait * 1000 - 1);
    expect(ends).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(ends).toEqual(['late']);
    await expect(late).rejects.toMatchObject({
      code: 'server_busy',
      status: 429,
      headers: { 'Retry-After': '5' },
    });
    const left = new AbortController();
    const leaving = limits.run(name, 'greedy-left', () => Promise.resolve(), { signal: left.signal });
    left.abort(new Error('The caller has left.'));
    await expect(leaving).rejects.toThrow('The caller has left.');
    expect(limits.refusals.get(name)).toBe(1);
    release.resolve();
    await Promise.all(running);
  });
});
