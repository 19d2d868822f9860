import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { outageLog } from './outage-log.js';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('logs each cause once a second, with the number of failures', () => {
  jest.useFakeTimers();
  const lines: unknown[] = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void lines.push(line));
  const fail = (reason: string, times: number): void => {
    for (let n = 0; n < times; n++) outageLog.add(new DatabaseUnavailableError(reason));
  };
  fail('ECONNREFUSED', 500);
  fail('57P03', 2);
  expect(lines).toMatchObject([
    { reason: 'ECONNREFUSED', count: 1 },
    { reason: '57P03', count: 1 },
  ]);
  jest.advanceTimersByTime(1000);
  expect(lines.slice(2)).toMatchObject([
    { reason: 'ECONNREFUSED', count: 499 },
    { reason: '57P03', count: 1 },
  ]);
  jest.advanceTimersByTime(5000);
  expect(lines).toHaveLength(4);
  fail('57P03', 1);
  expect(lines).toHaveLength(5);
});
