import {
  ApiAwayError,
  type GoneReason,
  JobGoneError,
  NotUnderstoodError,
  RefusedError,
} from './api-errors.js';
import type { ApiHealth } from './api-health.js';
import { Backoff } from './backoff.js';

/** How long requests are repeated while the API is away, unless they say otherwise, in milliseconds. */
export const PATIENCE = 15 * 60_000;
/** How long one try may take, unless it says otherwise, in milliseconds. */
const TRY = 60_000;

/** A request of the runner protocol. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** Any other body. */
  readonly body?: Uint8Array<ArrayBuffer> | FormData;
  /** Ends the request, also between two tries. */
  readonly signal?: AbortSignal;
  /** How long one try may take, in milliseconds. */
  readonly tryFor?: number;
  /** How long to repeat it while the API is away, in milliseconds; 0: it is sent once. */
  readonly patience?: number;
}

/** A try that another one may follow. */
interface Failure {
  readonly reason: string;
  /** Milliseconds to wait, as the server says. */
  readonly wait: number;
}

/** Sends requests, again and again while the API or its database is away. */
export class ApiClient {
  /** @param origin such as `https://api.example.com` */
  constructor(
    readonly origin: string,
    private readonly token: string,
    private readonly health: ApiHealth,
  ) {}

  /** The same API with another token. */
  with(token: string): ApiClient {
    return new ApiClient(this.origin, token, this.health);
  }

  /**
   * Sends a request. All requests of the protocol are safe to repeat.
   *
   * @param read reads the body of a 2xx; runs again when the connection breaks before it has ended
   * @throws JobGoneError when the response says that the job is canceled or lost
   * @throws RefusedError for any other 3xx or 4xx
   * @throws ApiAwayError when the API stays away
   * @throws the reason of the signal
   */
  async send<T>(request: ApiRequest, read: (response: Response) => Promise<T>): Promise<T> {
    const end = Date.now() + (request.patience ?? PATIENCE);
    const backoff = new Backoff();
    for (;;) {
      const { value, failure } = await this.try(request, read);
      if (failure === undefined) return value as T;
      this.health.failed(failure.reason);
      if (Date.now() >= end) throw new ApiAwayError(failure.reason);
      await backoff.wait(request.signal, failure.wait);
    }
  }

  private async try<T>(
    request: ApiRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<{ value?: T; failure?: Failure }> {
    const { signal, tryFor = TRY } = request;
    signal?.throwIfAborted();
    const late = AbortSignal.timeout(tryFor);
    try {
      const response = await this.fetch(request, signal ? AbortSignal.any([signal, late]) : late);
      if (response.status === 429 || response.status >= 500) {
        return { failure: { reason: await messageOf(response), wait: retryAfter(response) } };
      }
      this.health.responded();
      const view = response.headers.get('x-job-status');
      if (view === 'canceled' || view === 'lost') throw new JobGoneError(view satisfies GoneReason);
      if (!response.ok) throw await refused(response);
      return { value: await read(response) };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (late.aborted) return { failure: { reason: 'it does not respond in time.', wait: 0 } };
      if (isConnectionFailure(error)) return { failure: { reason: causeOf(error), wait: 0 } };
      throw error;
    }
  }

  private fetch({ method, path, headers, json, body }: ApiRequest, signal: AbortSignal): Promise<Response> {
    return fetch(this.origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      // The token must reach no other server, and a redirected POST would become a GET.
      redirect: 'manual',
      signal,
      ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
    });
  }
}

/** Reads JSON. @throws NotUnderstoodError */
export async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new NotUnderstoodError(`The response to ${new URL(response.url).pathname} is not JSON.`);
  }
}

/** For responses whose body does not matter. */
export async function ignoreBody(response: Response): Promise<void> {
  await response.arrayBuffer();
}

async function refused(response: Response): Promise<RefusedError> {
  const { status, headers } = response;
  if (status < 400) {
    await ignoreBody(response);
    const message = `The server redirects to ${headers.get('location')}: use the address of the API itself.`;
    return new RefusedError(status, '', message, headers);
  }
  const { code = '', message } = await errorOf(response);
  return new RefusedError(status, code, message ?? `The server responds with ${status}.`, headers);
}

async function messageOf(response: Response): Promise<string> {
  const { message } = await errorOf(response);
  return message ?? `it responds with ${response.status}.`;
}

async function errorOf(response: Response): Promise<{ code?: string; message?: string }> {
  try {
    const body = JSON.parse(await response.text()) as { code?: unknown; message?: unknown } | null;
    return {
      ...(typeof body?.code === 'string' ? { code: body.code } : {}),
      ...(typeof body?.message === 'string' ? { message: body.message } : {}),
    };
  } catch {
    return {};
  }
}

/** Of a 429 or 503, in milliseconds; 0: the server does not say. */
function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), 60) * 1000 : 0;
}

/** As `fetch` of Node.js throws them: before the response, or within its body. */
function isConnectionFailure(error: unknown): error is Error {
  const { name, message } = (error ?? {}) as Partial<Error>;
  return name === 'TypeError' && (message === 'fetch failed' || message === 'terminated');
}

function causeOf({ cause, message }: Error): string {
  const { code, message: text } = (cause ?? {}) as { code?: string; message?: string };
  return `${text !== undefined && text !== '' ? text : (code ?? message)}.`;
}
