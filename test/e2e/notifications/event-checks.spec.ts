import { v7 as uuid } from 'uuid';
import { cloneDatabase, dropDatabase, query } from '../../setup/databases.js';
import { problemsOfEvents } from '../../setup/event-checks.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { RECORD, recordValues } from '../../support/events/events.js';

describe('the check of all events that tests make', () => {
  let databaseUrl: string;
  const runner = { runnerId: uuid(), runnerName: 'mac-mini-2', lastSeenAt: '2026-01-02T03:04:05.678Z' };

  beforeAll(async () => {
    databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
  });

  afterAll(() => dropDatabase(databaseUrl));

  const check = async (type: string, data: object): Promise<string[]> => {
    const organizationId = uuid();
    await query(databaseUrl, `INSERT INTO organizations (id, name, slug) VALUES ($1, 'A', $2)`, [
      organizationId,
      organizationId,
    ]);
    // The ids that servers give are checked.
    await query(databaseUrl, RECORD, recordValues({ id: uuid(), organizationId, type, data }));
    const problems = await problemsOfEvents(databaseUrl);
    await query(databaseUrl, 'DELETE FROM organizations WHERE id = $1', [organizationId]);
    return problems;
  };

  it.each([
    ['fits', 'runner_lost', {}, []],
    ['has a type that no file declares', 'runner_found', {}, ['runner_found is in no']],
    ['lacks a field', 'runner_lost', { runnerId: undefined }, ["must have required property 'runnerId'"]],
    ['has a field that no document names', 'runner_lost', { secret: 1 }, ['must NOT have unevaluated']],
    ['has a value of another type', 'runner_lost', { lastSeenAt: 5 }, ['must be string,null']],
    ['names the address of a person', 'runner_lost', { runnerName: 'a@b.example' }, ['a@b.example']],
    ['is too large', 'runner_lost', { runnerName: 'x'.repeat(66_000) }, ['has more than 64 kB']],
  ])('an event that %s', async (_what, type, change, problems) => {
    expect(await check(type, { ...runner, ...change })).toEqual(
      problems.map((problem) => expect.stringContaining(problem) as string),
    );
  });
});
