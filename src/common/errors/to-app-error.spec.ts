import type { Request } from 'express';
import { QueryFailedError } from 'typeorm';
import { toAppError } from './to-app-error.js';

const request = {} as Request;
const failed = (code: string): Error =>
  new QueryFailedError('UPDATE apps', [], Object.assign(new Error('It failed.'), { code }));

it.each([
  ['a lock that is not free in time', '55P03'],
  ['a statement that takes too long', '57014'],
  ['a deadlock that repeats', '40P01'],
])('lets the caller repeat what ends with %s', (_what, code) => {
  const error = toAppError(failed(code), request);
  expect(error).toMatchObject({ status: 503, code: 'database_busy', headers: { 'Retry-After': '5' } });
  expect(error?.message).toMatch(/^[^\n]+\.$/);
});

it.each([failed('23505'), failed('42P01'), new Error('57014'), undefined, null, 'text'])(
  'takes %s for a failure of the server',
  (thrown) => {
    expect(toAppError(thrown, request)).toBeNull();
  },
);
