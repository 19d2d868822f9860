import { DatabaseUnavailableError } from '../errors/database-unavailable.error.js';
import { attemptAll } from './attempt-all.js';

/** Items that fail as given; `null`: it succeeds. @returns those that were attempted, the reports, and the failure */
async function attempt(items: readonly (Error | null)[]) {
  const attempted: (Error | null)[] = [];
  const reported: [unknown, Error | null][] = [];
  const work = async (item: Error | null): Promise<void> => {
    attempted.push(item);
    if (item !== null) throw item;
  };
  const report = (error: unknown, item: Error | null): void => void reported.push([error, item]);
  const failure: unknown = await attemptAll(items, work, report).catch((error: unknown) => error);
  return { attempted, reported, failure };
}

it('attempts every item, and throws the first failure afterwards', async () => {
  const [first, second] = [new Error('first'), new Error('second')];
  const items = [null, first, second, null];
  expect(await attempt(items)).toEqual({
    attempted: items,
    reported: [
      [first, first],
      [second, second],
    ],
    failure: first,
  });
  expect(await attempt([null])).toEqual({ attempted: [null], reported: [], failure: undefined });
});

it('ends when the database is away', async () => {
  const away = new DatabaseUnavailableError('ECONNREFUSED');
  expect(await attempt([null, away, null])).toEqual({ attempted: [null, away], reported: [], failure: away });
});
