import type { Response } from 'express';

/** What a request was answered. */
export interface StoredResponse {
  /** HTTP status, 2xx: refusals change nothing and are not kept. */
  readonly status: number;
  /** The body as it was sent; `null`: none. */
  readonly json: string | null;
}

/** What will be sent when the handler returns `body`. */
export function responseOf(response: Response, body: unknown): StoredResponse {
  return { status: response.statusCode, json: body === undefined ? null : JSON.stringify(body) };
}

/** Sends an earlier answer once more. @returns what the handler would return: Nest sends a text as it is */
export function replay(response: Response, { status, json }: StoredResponse): string | undefined {
  response.status(status).set({ 'Idempotency-Replayed': 'true', 'Cache-Control': 'no-store' });
  if (json === null) return undefined;
  response.set('Content-Type', 'application/json; charset=utf-8');
  return json;
}
