import type { Response } from 'supertest';

/** Fails unless the OpenAPI document describes the response. */
export function expectOpenApi(method: string, url: string, response: Response): void {
  const problem = openApi.document.problemOf(method, url, response);
  if (problem !== null) throw new Error(problem);
}
