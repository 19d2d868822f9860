import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DatabaseUnavailableError } from '../common/errors/database-unavailable.error.js';
import { isUnreachable, translateUnavailable, unavailableReason } from './unavailable.js';

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

it('tells a server that is away from one that has no connection left', () => {
  expect(isUnreachable(withCode('57P03'))).toBe(true);
  expect(isUnreachable(withCode('ECONNREFUSED'))).toBe(true);
  expect(isUnreachable(withCode('53300'))).toBe(false);
});
