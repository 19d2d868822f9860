import { testEnvironment } from '../../setup/test-environment.js';

/** What a request of the SDK has besides method and path. */
export interface SdkOptions {
  /** `undefined` is left out; lists are joined by the resources of the SDK. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  /** In place of the body. */
  readonly form?: FormData;
}

/**
 * Sends requests as the Node SDK does (`@capawesome/cloud-sdk` 0.1.3), through `fetch`: `Content-Type` only with a body,
 * no body for actions, a form for files, 204 or an empty text for nothing.
 */
export class Sdk {
  constructor(
    private readonly token: string,
    private readonly origin = testEnvironment().origin,
  ) {}

  /** @throws Error with status and body unless it succeeds */
  async request<T>(method: string, path: string, options: SdkOptions = {}): Promise<T> {
    const response = await this.send(method, path, options);
    const text = response.status === 204 ? '' : await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** The bytes of a download. */
  async download(path: string): Promise<Buffer> {
    const response = await this.send('GET', path, {});
    return Buffer.from(await response.arrayBuffer());
  }

  private async send(
    method: string,
    path: string,
    { query = {}, body, form }: SdkOptions,
  ): Promise<Response> {
    const url = new URL(path, this.origin);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: form }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}
