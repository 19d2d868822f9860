import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import {
  OutboundRefusedError,
  type OutboundRefusal,
} from '../../common/http/outbound/outbound-refused.error.js';
import type { OutboundCalls, OutboundResponse } from '../../common/http/outbound/outbound.js';
import type { StagedBlob } from '../../storage/blobs/blobs.service.js';
import { MAX_SOURCE_BYTES } from './build-source.dto.js';

/** Milliseconds that fetching one zip may take, pauses excluded. */
const TIMEOUT = 10 * 60_000;
/** A server that sends less is not waited for. */
const SLOWEST = { bytes: 512 * 1024, withinMs: 30_000 };
/** What a server sends at least to keep its place while others wait: 256 KiB a second, over a minute. */
const PACE = { bytes: 60 * 256 * 1024, withinMs: 60_000 };

/** Reasons that may be others a little later. */
const TRANSIENT: readonly OutboundRefusal[] = ['name', 'connection', 'timeout'];

/** The zip cannot be had, for a reason that the user can read. */
export class FetchFailure extends Error {
  constructor(
    readonly reason: string,
    readonly isTransient: boolean,
  ) {
    super(reason);
  }

  /** @returns `null`: no reason of the address or its server */
  static of(error: unknown): FetchFailure | null {
    if (error instanceof FetchFailure) return error;
    if (!(error instanceof OutboundRefusedError)) return null;
    return new FetchFailure(error.reason, TRANSIENT.includes(error.kind));
  }
}

/**
 * A zip that is being fetched into storage. While others wait for a place, a slow one pauses, and continues later where it
 * was: by a range (RFC 9110, section 14), if its server can send one.
 */
export class SourceDownload {
  private readonly bytes = new PassThrough();
  private receivedBytes = 0;
  /** Milliseconds. */
  private spent = 0;
  /** What `If-Range` compares; `null`: the server cannot continue. */
  private validator: string | null = null;
  /** Where the bytes go. It ends with the last of them. */
  readonly staged: Promise<StagedBlob>;

  constructor(stage: (bytes: Readable) => Promise<StagedBlob>) {
    this.bytes.on('error', () => undefined);
    this.staged = stage(this.bytes);
    // `fetch` reports what fails.
    this.staged.catch(() => undefined);
  }

  /** Whether a paused download can continue. */
  get canContinue(): boolean {
    return this.validator !== null;
  }

  /**
   * Fetches the zip, or what is missing of it.
   *
   * @param othersWait whether another account waits for this place
   * @returns `ended`, with all bytes in `staged`; `paused`: others wait; `changed`: the server has another zip now
   * @throws FetchFailure
   */
  async fetch(
    calls: OutboundCalls,
    url: string,
    othersWait: () => Promise<boolean>,
  ): Promise<'ended' | 'paused' | 'changed'> {
    const start = performance.now();
    try {
      const response = await calls.request({
        purpose: 'source',
        url,
        maxBytes: MAX_SOURCE_BYTES - this.receivedBytes,
        timeoutMs: Math.max(1, TIMEOUT - this.spent),
        slowest: SLOWEST,
        ...(this.validator !== null && {
          headers: { range: `bytes=${this.receivedBytes}-`, 'if-range': this.validator },
        }),
      });
      const isPart = response.status === 206 && this.continues(response.headers);
      if (this.receivedBytes > 0 && !isPart && response.status < 300) {
        response.stream.destroy();
        return 'changed';
      }
      if (response.status !== 200 && !isPart) throw failureOfStatus(response, url);
      if (!isPart) this.validator = validatorOf(response.headers);
      return await this.read(response.stream, othersWait);
    } catch (error) {
      const failure = FetchFailure.of(error) ?? error;
      this.drop(failure as Error);
      throw failure;
    } finally {
      this.spent += performance.now() - start;
    }
  }

  /** Forgets what has arrived. */
  drop(reason: Error = new Error('The download is not continued.')): void {
    this.bytes.destroy(reason);
  }

  private async read(stream: Readable, othersWait: () => Promise<boolean>): Promise<'ended' | 'paused'> {
    let since = performance.now();
    let before = this.receivedBytes;
    for await (const chunk of stream) {
      const { length } = chunk as Buffer;
      if (!this.bytes.write(chunk)) await Promise.race([once(this.bytes, 'drain'), this.staged]);
      this.receivedBytes += length;
      if (performance.now() - since < PACE.withinMs) continue;
      // Leaving the loop ends the connection.
      if (this.receivedBytes - before < PACE.bytes && (await othersWait())) return 'paused';
      since = performance.now();
      before = this.receivedBytes;
    }
    this.bytes.end();
    await this.staged;
    return 'ended';
  }

  private continues(headers: IncomingHttpHeaders): boolean {
    return headers['content-range']?.startsWith(`bytes ${this.receivedBytes}-`) === true;
  }
}

function failureOfStatus({ status, stream }: OutboundResponse, url: string): FetchFailure {
  stream.destroy();
  return new FetchFailure(
    `${new URL(url).host} answered with the status ${status}.`,
    status >= 500 || status === 429,
  );
}

/** Only a strong one shows that the bytes are the same. */
function validatorOf(headers: IncomingHttpHeaders): string | null {
  const { etag } = headers;
  const isStrong = etag !== undefined && !etag.startsWith('W/');
  return isStrong && headers['accept-ranges'] === 'bytes' ? etag : null;
}
