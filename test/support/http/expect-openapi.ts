import type { Response } from 'supertest';
import { type OpenApiChecker, openApiChecker } from '../../setup/openapi-checker.js';

let check: OpenApiChecker | null = null;

/** Checks the responses of this spec file against another document. @param text JSON */
export function useOpenApiDocument(text: string): void {
  check = openApiChecker(text);
}

/** Fails unless the document describes the response: `openapi.json`, by default. */
export function expectOpenApi(method: string, url: string, response: Response): void {
  const problem = (check ?? openApiProblem)(method, url, response);
  if (problem !== null) throw new Error(problem);
}
