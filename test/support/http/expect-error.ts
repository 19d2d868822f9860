import { STATUS_CODES } from 'node:http';
import type { Response } from 'supertest';

/** The body of every error. */
export interface ErrorBody {
  readonly message: string;
  readonly code: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/**
 * Fails unless the answer is an error of this status with the one body that all errors have.
 *
 * @param code the expected `code`, when it matters
 */
export function expectError(response: Response, status: number, code?: string): ErrorBody {
  const { body } = response as { body: ErrorBody };
  expect({ status: response.status, body }).toEqual({
    status,
    body: {
      type: `urn:slipway:error:${code ?? body.code}`,
      title: STATUS_CODES[status],
      status,
      detail: body.message,
      message: expect.stringMatching(/^[^\n]+[.!?]$/) as string,
      code: code ?? (expect.stringMatching(/^[a-z]+(_[a-z]+)*$/) as string),
      ...(body.errors === undefined ? {} : { errors: expect.any(Array) as unknown }),
      requestId: response.headers['x-request-id'],
    },
  });
  expect(response.headers['content-type']).toMatch(/^application\/json\b/);
  expect(response.text).not.toMatch(/node_modules|\.js:\d|\bSELECT\b|\bINSERT\b/);
  return body;
}

/** Fails unless the answer is a 400 that lists exactly these fields, each with a sentence that names it. */
export function expectInvalid(response: Response, ...fields: string[]): ErrorBody {
  const body = expectError(response, 400, 'invalid_fields');
  const errors = body.errors ?? [];
  expect(errors.map(({ field }) => field).sort()).toEqual([...fields].sort());
  for (const { field, message } of errors) {
    expect(message).toMatch(/^[^\n]+\.$/);
    expect(message).toContain(field.split('.').at(-1) ?? field);
  }
  expect(body.message).toBe(errors[0]?.message);
  return body;
}
