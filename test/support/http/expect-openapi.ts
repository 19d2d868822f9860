import type { Response } from 'supertest';

/** Fails unless `openapi.json` describes the response. */
export function expectOpenApi(method: string, url: string, response: Response): void {
  const problem = openApiProblem(method, url, response);
  if (problem !== null) throw new Error(problem);
}
