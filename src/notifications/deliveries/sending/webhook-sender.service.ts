import type { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { databaseNow } from '../../../common/database-clock.js';
import { Outbound, type OutboundResponse } from '../../../common/http/outbound/outbound.js';
import { OutboundRefusedError } from '../../../common/http/outbound/outbound-refused.error.js';
import { Config } from '../../../config/config.js';
import { VERSION } from '../../../config/version.js';
import { bodyOf } from '../../formats/body-of.js';
import type { DeliverableEvent } from '../../formats/deliverable-event.js';
import type { OpenedWebhook } from '../../webhook-fields/webhook-secrets.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import { type AttemptOutcome, errorOf, meantStatus, outcomeOf, retryAfterOf } from './attempt-outcome.js';
import { contractSignature, standardHeaders } from './signatures.js';

/** Bytes of a response that are read at most: the rest does not decide anything. */
const MAX_READ = 64 * 1024;

/** Bytes that are kept. */
const MAX_KEPT = 4096;

/** Milliseconds for an attempt, from the look-up of the name to the end of the response. */
const TIMEOUT = 10_000;

/** What came of an attempt. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** When it began. */
  readonly at: Date;
  readonly durationMs: number;
  /** Of the response; `null`: there was none. */
  readonly status: number | null;
  /** What went wrong, in a sentence; `null`: nothing. */
  readonly error: string | null;
  /** The start of the response; `null`: there was none. */
  readonly responseBody: string | null;
  /** Seconds that the receiver wants to wait; `null`: it has not said so. */
  readonly retryAfter: number | null;
}

type Response = Pick<AttemptResult, 'outcome' | 'status' | 'error' | 'responseBody' | 'retryAfter'>;

/** Sends events to receivers, outside of transactions. */
@Injectable()
export class WebhookSender {
  private readonly logger = new Logger(WebhookSender.name);

  constructor(
    private readonly outbound: Outbound,
    private readonly config: Config,
  ) {}

  /** @param deliveryId of the delivery, for the receiver */
  async send(
    { organizationId, format }: Webhook,
    opened: OpenedWebhook,
    event: DeliverableEvent,
    deliveryId: string,
  ): Promise<AttemptResult> {
    const at = databaseNow();
    const body = bodyOf(format, event);
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Slipway-Webhooks/${VERSION}`,
      ...opened.headers,
      ...(format === 'raw' ? this.identify(opened, { id: event.id, at, body }, event.type, deliveryId) : {}),
    };
    const start = performance.now();
    const response = await this.call({ organizationId, format }, opened.url, headers, body);
    return { at, durationMs: Math.round(performance.now() - start), ...response };
  }

  /** Chats get none of these headers: they know nothing of them. */
  private identify(
    { signingSecrets }: OpenedWebhook,
    message: { readonly id: string; readonly at: Date; readonly body: string },
    type: string,
    deliveryId: string,
  ): Record<string, string> {
    const [current] = signingSecrets;
    const { signatureHeader } = this.config.events;
    return {
      'X-Capawesome-Event': type,
      'X-Capawesome-Delivery': deliveryId,
      ...standardHeaders(signingSecrets, message),
      ...(current !== undefined && { [signatureHeader]: contractSignature(current, message.body) }),
    };
  }

  private async call(
    { organizationId, format }: Pick<Webhook, 'organizationId' | 'format'>,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<Response> {
    let response: OutboundResponse;
    try {
      response = await this.outbound.of(organizationId).request({
        purpose: 'webhook',
        method: 'POST',
        url,
        headers,
        body,
        timeoutMs: TIMEOUT,
        // `readStart` decides how much is read: a long response is no failure.
        maxBytes: Number.MAX_SAFE_INTEGER,
      });
    } catch (error) {
      return this.failed(error, null);
    }
    let { status } = response;
    try {
      const responseBody = await readStart(response.stream);
      status = meantStatus(format, status, responseBody);
      const retryAfter = retryAfterOf(response.headers['retry-after'], databaseNow());
      return { outcome: outcomeOf(status), status, error: errorOf(status), responseBody, retryAfter };
    } catch (error) {
      const failure = this.failed(error, status);
      const outcome = outcomeOf(status);
      // A status that says more than the response that did not end.
      return outcome === 'succeeded' ? failure : { ...failure, outcome, error: errorOf(status) };
    }
  }

  private failed(error: unknown, status: number | null): Response {
    const isKnown = error instanceof OutboundRefusedError;
    if (!isKnown) this.logger.error({ err: error }, 'A delivery could not be sent');
    return {
      outcome: 'unavailable',
      status,
      error: isKnown
        ? error.reason
        : 'The server could not send it. Its operator finds the reason in the log.',
      responseBody: null,
      retryAfter: null,
    };
  }
}

/**
 * Reads a response until its end, or until 64 kB, and then ends the connection.
 *
 * @returns the first 4 kB as UTF-8, without characters that the database cannot store
 * @throws what the stream fails with
 */
export async function readStart(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the stream.
  for await (const chunk of stream) {
    if (size < MAX_KEPT) chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= MAX_READ) break;
  }
  // A decoder that expects more leaves out a character that was cut.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_KEPT), {
    stream: size > MAX_KEPT,
  });
  return text.replaceAll('\0', '');
}
