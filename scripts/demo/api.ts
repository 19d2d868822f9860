/** Calls the API as the owner of a token would, with nothing but `fetch`. */
export class Api {
  readonly origin: string;
  private readonly token: string;

  constructor(origin: string, token: string) {
    this.origin = origin;
    this.token = token;
  }

  get<T>(path: string): Promise<T> {
    return this.send('GET', path);
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.send('POST', path, body);
  }

  put<T>(path: string, body: object): Promise<T> {
    return this.send('PUT', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.send('PATCH', path, body);
  }

  /** @throws Error with the sentence that the API answered, unless it is a success */
  private async send<T>(method: string, path: string, body?: object): Promise<T> {
    const isForm = body instanceof FormData;
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) {
      throw new Error(
        `${method} ${path} answered ${response.status}: ${(answer as { message?: string }).message}`,
      );
    }
    return answer as T;
  }
}
