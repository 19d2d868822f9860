import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import { storeOriginsOf } from '../../../config/store-origins.js';
import { Outbound, type OutboundCalls } from '../../../common/http/outbound/outbound.js';
import { OutboundRefusedError } from '../../../common/http/outbound/outbound-refused.error.js';
import { SubmissionRecorder } from '../../submission-requests/submission-recorder.js';
import { recordOf } from './call-record.js';
import type { StoreCallOrigin, StoreCallRequest, StoreResponse, StoreSession } from './store-session.js';
import { StoreUnreachableError } from './store-unreachable.error.js';

const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** Calls app stores: through the outbound guard, with time limits, and recorded for the submission. */
@Injectable()
export class StoreCalls {
  private readonly logger = new Logger(StoreCalls.name);
  /** Where access tokens may go. */
  private readonly configured: ReadonlySet<string>;

  constructor(
    { stores }: Config,
    private readonly outbound: Outbound,
    private readonly recorder: SubmissionRecorder,
  ) {
    this.configured = storeOriginsOf(stores);
  }

  /** The calls for one submission, or for none. */
  of({ organizationId, submissionId, patienceMs = Infinity }: StoreCallOrigin): StoreSession {
    const calls = this.outbound.of(organizationId);
    return {
      organizationId,
      call: ({ timeoutMs = TIMEOUT_MS, ...request }) =>
        this.call(calls, submissionId, { ...request, timeoutMs: Math.min(timeoutMs, patienceMs) }),
    };
  }

  private async call(
    calls: OutboundCalls,
    submissionId: string | null,
    request: StoreCallRequest,
  ): Promise<StoreResponse> {
    const startedAt = performance.now();
    let outcome: StoreResponse | OutboundRefusedError;
    try {
      outcome = await this.send(calls, request);
    } catch (error) {
      if (!(error instanceof OutboundRefusedError)) throw error;
      outcome = error;
    }
    if (submissionId !== null) {
      const milliseconds = Math.round(performance.now() - startedAt);
      await this.record(submissionId, request, outcome, milliseconds);
    }
    if (outcome instanceof OutboundRefusedError) throw new StoreUnreachableError(outcome);
    return outcome;
  }

  private async send(calls: OutboundCalls, request: StoreCallRequest): Promise<StoreResponse> {
    const { method, url, headers = {}, body, maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS, bearer } = request;
    const mayAuthorize = bearer !== undefined && this.isConfigured(url);
    const response = await calls.request({
      purpose: 'store',
      method,
      url,
      headers: { ...headers, ...(mayAuthorize && { authorization: `Bearer ${bearer}` }) },
      ...(body !== undefined && { body }),
      maxBytes,
      timeoutMs,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  private isConfigured(url: string | URL): boolean {
    return URL.canParse(String(url)) && this.configured.has(new URL(url).origin);
  }

  /** What cannot be recorded is no reason to stop a release. */
  private async record(
    submissionId: string,
    request: StoreCallRequest,
    outcome: StoreResponse | OutboundRefusedError,
    milliseconds: number,
  ): Promise<void> {
    try {
      const hidesQuery = request.isSecretAddress === true || !this.isConfigured(request.url);
      await this.recorder.record(submissionId, recordOf(request, outcome, { milliseconds, hidesQuery }));
    } catch (error) {
      this.logger.error({ err: error, submissionId }, 'A call of a store was not recorded');
    }
  }
}
