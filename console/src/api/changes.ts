import { fetchApi } from './client';

/** What changed: something of an app, or of the organization. */
export interface Change {
  readonly appId: string | null;
  readonly kind: string;
  readonly id: string | null;
}

/** What a stream brings: a change, after how many milliseconds it may be opened again, or only that it is still open. */
export interface StreamWord {
  readonly change: Change | null;
  readonly retry: number | null;
}

/** Opens the stream of changes of an organization; its server says something at once, and every fifteen seconds. */
export async function* changesOf(organizationId: string, signal: AbortSignal): AsyncGenerator<StreamWord> {
  const response = await fetchApi(`/v1/organizations/${organizationId}/changes`, {
    signal,
    headers: { Accept: 'text/event-stream' },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    // As the HTML standard has it; only what the server of Slipway sends of it.
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const retry = /^retry: ?(\d+)$/m.exec(block)?.[1];
      const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');
      yield {
        change: data === '' ? null : (JSON.parse(data) as Change),
        retry: retry === undefined ? null : Number(retry),
      };
    }
  }
}
