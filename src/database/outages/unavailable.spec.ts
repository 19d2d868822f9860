import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { reachability, translateUnavailable, unavailableReason } from './unavailable.js';

const withCode = (code: string): Error => Object.assign(new Error('It failed.'), { code });
const failed = (error: Error): Error => new QueryFailedError('SELECT 1', [], error);

describe('unavailableReason', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED'), 'ECONNREFUSED'],
    ['a server that stops, in a statement', failed(withCode('57P01')), '57P01'],
    ['a server that starts', withCode('57P03'), '57P03'],
    ['a broken connection', failed(new Error('Connection terminated unexpectedly')), 'connection lost'],
    [
      'a connection that broke before',
      failed(new Error('Client has encountered a connection error and is not queryable')),
      'connection lost',
    ],
    ['a released query runner', new QueryRunnerAlreadyReleasedError(), 'connection lost'],
    [
      'a pool without a free connection',
      new Error('timeout exceeded when trying to connect'),
      'no free connection',
    ],
    ['a violated constraint', failed(withCode('23505')), null],
    ['a statement that takes too long', failed(withCode('57014')), null],
    ['a deadlock', failed(withCode('40P01')), null],
    ['a missing file of the storage', new Error('no such file'), null],
    ['nothing', undefined, null],
  ])('of %s', (_what, error, reason) => {
    expect(unavailableReason(error)).toBe(reason);
    const translated = translateUnavailable(error);
    if (reason === null) expect(translated).toBe(error);
    else expect(translated).toMatchObject({ name: 'DatabaseUnavailableError', reason });
  });

  it('keeps an error that was translated before', () => {
    const error = new DatabaseUnavailableError('57P01');
    expect(translateUnavailable(error)).toBe(error);
  });
});

it.each([
  ['ECONNREFUSED', 'away'],
  ['57P03', 'away'],
  ['ENOENT', 'away'],
  ['ENOTFOUND', 'unknown'],
  ['EAI_AGAIN', 'unknown'],
  ['ETIMEDOUT', 'unknown'],
  ['53300', 'responds'],
  // PgBouncer with too many clients.
  ['08P01', 'responds'],
  // A wrong password.
  ['28P01', 'responds'],
])('tells from %s whether the server is away', (code, expected) => {
  expect(reachability(withCode(code))).toBe(expected);
});
