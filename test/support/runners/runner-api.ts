import { setTimeout as sleep } from 'node:timers/promises';

/** How long a runner tries again while the API does not answer, in milliseconds. */
const PATIENCE = 10 * 60_000;
const PAUSE = 250;

/** What a job's routes say about it with every answer. */
export type JobStatus = 'running' | 'canceled' | 'lost';

/** The job is no longer this runner's. */
export class JobGoneError extends Error {
  readonly status: JobStatus;

  constructor(status: JobStatus) {
    super(`The job is ${status}.`);
    this.status = status;
  }
}

/** The API refused a request. */
export class RefusedError extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, headers: Headers, text: string) {
    super(`${status} ${text}`);
    this.status = status;
    this.headers = headers;
  }
}

export interface RunnerRequest {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request of the runner protocol, again and again while the API or its database is away.
 *
 * @param origin of the API
 * @throws JobGoneError when the job was canceled or its lease was lost
 * @throws RefusedError for any other 4xx
 */
export async function send(origin: string, request: RunnerRequest): Promise<Response> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const response = await attempt(origin, request);
    if (response !== null) return response;
    if (Date.now() > until) throw new Error(`${request.method} ${request.path}: the API is away.`);
    await sleep(PAUSE, undefined, request.signal ? { signal: request.signal } : {});
  }
}

/** @returns `null` when it should be sent again */
async function attempt(origin: string, request: RunnerRequest): Promise<Response | null> {
  const { method, path, token, body, headers, signal } = request;
  const plain = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || plain ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: plain ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    return null;
  }
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  if (response.status >= 500 || response.status === 429) return null;
  const status = response.headers.get('x-job-status') as JobStatus | null;
  if (status === 'canceled' || status === 'lost') throw new JobGoneError(status);
  throw new RefusedError(response.status, response.headers, text);
}
