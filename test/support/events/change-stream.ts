import type { Api } from '../http/api.js';

/** An object that has changed, as the stream of changes names it. */
export interface ChangeHint {
  readonly appId: string | null;
  readonly kind: string;
  readonly id: string;
}

/** A stream of changes that a program has open. */
export class ChangeStream {
  /** All that has arrived. */
  text = '';
  hasEnded = false;
  /** When each hint has arrived, by `performance.now()`. */
  readonly times: number[] = [];
  private readonly aborting = new AbortController();

  private constructor(readonly headers: Headers) {}

  /** @param headers instead of the token of the caller */
  static async open(
    { origin, token }: Pick<Api, 'origin' | 'token'>,
    organizationId: string,
    headers: Readonly<Record<string, string>> = { Authorization: `Bearer ${token}` },
  ): Promise<ChangeStream> {
    const aborting = new AbortController();
    const response = await fetch(`${origin}/v1/organizations/${organizationId}/changes`, {
      headers,
      signal: aborting.signal,
    });
    if (response.status !== 200 || response.body === null) {
      throw new Error(`No stream: ${response.status} ${await response.text()}`);
    }
    const stream = new ChangeStream(response.headers);
    stream.aborting.signal.addEventListener('abort', () => aborting.abort());
    void stream.read(response.body);
    return stream;
  }

  /** The hints so far, in their order. */
  get hints(): ChangeHint[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as ChangeHint);
  }

  close(): void {
    this.aborting.abort();
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        this.text += decoder.decode(chunk, { stream: true });
        while (this.times.length < this.hints.length) this.times.push(performance.now());
      }
    } catch {
      // It was closed, or cut.
    }
    this.hasEnded = true;
  }
}
