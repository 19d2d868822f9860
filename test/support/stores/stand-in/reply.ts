import type { ServerResponse } from 'node:http';

/** What the stand-in answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text as it is. */
  readonly body?: object | string;
}

/** Sends a reply. */
export function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  const type = typeof body === 'object' ? { 'Content-Type': 'application/json; charset=UTF-8' } : {};
  response.writeHead(status, { ...type, 'Content-Length': Buffer.byteLength(text), ...headers }).end(text);
}
