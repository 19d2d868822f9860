import type { Response } from 'supertest';

/** What was created; fails unless it was. For the preparations of a test. */
export function expectCreated<T>(response: Response): T {
  if (response.status !== 201) {
    throw new Error(`Nothing was created: ${response.status} ${response.text}`);
  }
  return response.body as T;
}
