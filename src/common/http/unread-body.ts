import type { Request, Response } from 'express';

/** How much of an unread body is dropped, in bytes, and for how long, in milliseconds. */
const MAX_DROPPED = 1024 * 1024;
const DROPPED_FOR = 2000;

/** Whether a body is on its way that nothing reads, and that may be long. */
export function hasUnreadBody(request: Request): boolean {
  // `null`: nothing has begun to read.
  if (request.complete || request.readableFlowing !== null) return false;
  return Number(request.headers['content-length'] ?? Infinity) > MAX_DROPPED;
}

/**
 * Sends a JSON response, drops a bounded part of the unread body, and closes the connection. Node.js would read the
 * body to its end, which may never come. If it were closed immediately, the connection would be reset while the client
 * still sends, and the client might not get the response.
 */
export async function sendAndClose(request: Request, response: Response, body: object): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  response.set({ Connection: 'close', 'Content-Length': String(bytes.length) }).type('json');
  response.write(bytes);
  await dropSome(request);
  response.end();
}

function dropSome(request: Request): Promise<void> {
  return new Promise((resolve) => {
    let dropped = 0;
    const drop = (chunk: Buffer): void => {
      dropped += chunk.length;
      if (dropped > MAX_DROPPED) stop();
    };
    const stop = (): void => {
      clearTimeout(timer);
      request.off('data', drop).off('end', stop).off('close', stop).pause();
      resolve();
    };
    const timer = setTimeout(stop, DROPPED_FOR);
    request.on('data', drop).once('end', stop).once('close', stop);
  });
}
