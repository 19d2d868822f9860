import { setTimeout as sleep } from 'node:timers/promises';

/** Requests that fail with 5xx, or do not arrive, are sent so often. */
const ATTEMPTS = 4;

/** An answer that refuses. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RefusedError';
  }
}

/** Calls the API of an instance. */
export class ApiClient {
  /** @param origin such as `https://api.example.com` */
  constructor(
    private readonly origin: string,
    private readonly token: string,
  ) {}

  /**
   * Sends JSON or a form, again when the server fails.
   *
   * @param idempotencyKey makes repeating a POST harmless, also by a later run
   * @returns the body of the answer
   * @throws RefusedError
   */
  async send<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    body?: object | FormData,
    idempotencyKey?: string,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.fetch(method, path, body, idempotencyKey).catch((error: unknown) => {
        if (attempt === ATTEMPTS) throw new Error(`${this.origin} cannot be reached.`, { cause: error });
        return null;
      });
      if (response !== null && (response.status < 500 || attempt === ATTEMPTS)) return read<T>(response);
      await sleep(250 * 2 ** attempt);
    }
  }

  private fetch(
    method: string,
    path: string,
    body: object | FormData | undefined,
    idempotencyKey: string | undefined,
  ): Promise<Response> {
    const json = body !== undefined && !(body instanceof FormData);
    return fetch(`${this.origin}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(json ? { 'Content-Type': 'application/json' } : {}),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : body }),
    });
  }
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  const { message, code } = parseError(text);
  throw new RefusedError(
    response.status,
    code ?? '',
    message ?? `The server answered ${response.status} ${response.statusText}.`,
  );
}

function parseError(text: string): { message?: string; code?: string } {
  try {
    return JSON.parse(text) as { message?: string; code?: string };
  } catch {
    return {};
  }
}
