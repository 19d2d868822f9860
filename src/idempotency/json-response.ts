import type { Response } from 'express';

/** The response to a write, as far as it can be sent again. */
export interface JsonResponse {
  /** HTTP status, 2xx: refusals change nothing and are not stored. */
  readonly status: number;
  /** The body as it was sent; `null`: none. */
  readonly json: string | null;
}

/** The response that is sent when the handler returns `body`. */
export function responseOf(response: Response, body: unknown): JsonResponse {
  return { status: response.statusCode, json: body === undefined ? null : JSON.stringify(body) };
}

/** Sends a stored response. @returns what the handler would return: Nest sends a string unchanged */
export function replay(response: Response, { status, json }: JsonResponse): string | undefined {
  response.status(status).set({ 'Idempotency-Replayed': 'true', 'Cache-Control': 'no-store' });
  if (json === null) return undefined;
  response.set('Content-Type', 'application/json; charset=utf-8');
  return json;
}
