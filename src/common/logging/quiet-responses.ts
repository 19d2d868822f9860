import type { ServerResponse } from 'node:http';

const quiet = new WeakSet<ServerResponse>();

/** Logs the request at the level `debug`: another line counts it, or there is nothing to say. */
export function logQuietly(response: ServerResponse): void {
  quiet.add(response);
}

/** Whether `logQuietly` was called. */
export function isQuiet(response: ServerResponse): boolean {
  return quiet.has(response);
}
