import { Injectable, Logger, Module } from '@nestjs/common';
import { OutboundRefusedError } from '../../common/http/outbound/outbound-refused.error.js';
import { Outbound, type OutboundCalls } from '../../common/http/outbound/outbound.js';
import { Config } from '../../config/config.js';
import { storeOriginsOf } from '../../config/store-origins.js';
import { SubmissionRequestsModule } from '../submission-requests/submission-requests.module.js';
import {
  type NewSubmissionRequest,
  SubmissionRequestsService,
} from '../submission-requests/submission-requests.service.js';
import { recordOf } from './call-record.js';
import {
  type StoreCallOrigin,
  type StoreCallRequest,
  type StoreResponse,
  type StoreSession,
  StoreUnreachableError,
} from './store-session.js';

const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** Calls of one session that are kept on demand. */
const MAX_KEPT = 50;

/** Calls that are recorded when `keep` is called. */
export interface KeptOnDemand {
  readonly session: StoreSession;
  keep(): Promise<void>;
}

type CallListener = (record: () => NewSubmissionRequest) => Promise<void>;

/** Calls app stores: through the outbound guard, with time limits, and recorded for the submission. */
@Injectable()
export class StoreCalls {
  private readonly logger = new Logger(StoreCalls.name);
  /** Where access tokens may go. */
  private readonly configured: ReadonlySet<string>;

  constructor(
    { stores }: Config,
    private readonly outbound: Outbound,
    private readonly recorder: SubmissionRequestsService,
  ) {
    this.configured = storeOriginsOf(stores);
  }

  /** The calls for one submission, or for none. */
  of(origin: StoreCallOrigin): StoreSession {
    const { submissionId } = origin;
    return this.session(origin, async (call) => {
      if (submissionId !== null) await this.keep(submissionId, call);
    });
  }

  /** As `of`, for calls that are kept only if they are worth it: `keep` records those of the session, at the end. */
  keptOnDemand(origin: StoreCallOrigin & { readonly submissionId: string }): KeptOnDemand {
    const made: NewSubmissionRequest[] = [];
    const session = this.session(origin, (call) => {
      const record = made.length < MAX_KEPT ? this.recordedBy(call) : null;
      if (record !== null) made.push(record);
      return Promise.resolve();
    });
    return {
      session,
      keep: async () => {
        for (const record of made) await this.keep(origin.submissionId, () => record);
      },
    };
  }

  /** @param made what happens to each call that was made, as it is recorded */
  private session(
    { organizationId, patienceMs = Infinity }: StoreCallOrigin,
    made: CallListener,
  ): StoreSession {
    const calls = this.outbound.of(organizationId);
    return { organizationId, call: (request) => this.call(calls, made, patienceMs, request) };
  }

  /** Sends a request within limits, and records it whatever comes of it. */
  private async call(
    calls: OutboundCalls,
    made: CallListener,
    patienceMs: number,
    request: StoreCallRequest,
  ): Promise<StoreResponse> {
    const { method, url, headers = {}, body, bearer, maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS } = request;
    const isConfigured = this.isConfigured(url);
    const mayAuthorize = bearer !== undefined && isConfigured;
    const startedAt = performance.now();
    let outcome: StoreResponse | OutboundRefusedError;
    try {
      const response = await calls.request({
        purpose: 'store',
        method,
        url,
        headers: { ...headers, ...(mayAuthorize && { authorization: `Bearer ${bearer}` }) },
        ...(body !== undefined && { body }),
        maxBytes,
        timeoutMs: Math.min(timeoutMs, patienceMs),
      });
      outcome = { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      if (!(error instanceof OutboundRefusedError)) throw error;
      outcome = error;
    }
    const milliseconds = Math.round(performance.now() - startedAt);
    const hidesQuery = request.isSecretAddress === true || !isConfigured;
    await made(() => recordOf(request, outcome, { milliseconds, hidesQuery }));
    if (outcome instanceof OutboundRefusedError) throw new StoreUnreachableError(outcome);
    return outcome;
  }

  private isConfigured(url: string | URL): boolean {
    return URL.canParse(String(url)) && this.configured.has(new URL(url).origin);
  }

  /** What cannot be recorded is no reason to stop a release. */
  private async keep(submissionId: string, call: () => NewSubmissionRequest): Promise<void> {
    try {
      await this.recorder.record(submissionId, call());
    } catch (error) {
      this.logger.error({ err: error, submissionId }, 'A call of a store was not recorded');
    }
  }

  private recordedBy(call: () => NewSubmissionRequest): NewSubmissionRequest | null {
    try {
      return call();
    } catch (error) {
      this.logger.error({ err: error }, 'A call of a store cannot be recorded');
      return null;
    }
  }
}

@Module({ imports: [SubmissionRequestsModule], providers: [StoreCalls], exports: [StoreCalls] })
export class StoreCallsModule {}
