import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { deleteInBatches } from '../../../database/delete-in-batches.js';
import { QueueService } from '../../../queue/queue.service.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { retryAfterOf } from '../../calls/refusals/retry-delay.js';
import type { StoreResponse } from '../../calls/store-session.js';
import { CallBudgetQueries, type KeyUse, type RateLimit } from './call-budget.queries.js';

/** What a key is called at Apple. */
export interface KeyName {
  readonly keyId: string;
  /** `null`: an individual key. */
  readonly issuerId: string | null;
}

/** Why a call has to wait, and for how long. */
export interface CallWait {
  readonly why: 'pause' | 'used-up' | 'share';
  readonly seconds: number;
}

/** After a 429 without `Retry-After`, in seconds. */
const PAUSE_SECONDS = 60;
/** What Apple allows a key in an hour, as far as its answers show: https://developer.apple.com/documentation/appstoreconnectapi/identifying-rate-limits */
const DEFAULT_HOUR_LIMIT = 3600;
/** Part of the limit that is left for people and other tools. */
const RESERVE = 0.05;
/** Seconds until the next look, when calls of the hour have to end first. A look calls nothing. */
const LOOK_AGAIN = 60;
/** More calls in an hour than Apple would ever allow. */
const MAX_LIMIT = 1_000_000;
/** Old counts that one statement deletes. */
const BATCH = 500;

/**
 * The calls that App Store Connect allows for a key within a rolling hour, which all servers and organizations share. A call
 * is counted when Apple has answered it, so the limits are exact but for the calls that are under way: at most six
 * submissions of each server with one or two calls each, and checks of destinations.
 */
@Injectable()
export class CallBudget {
  private readonly logger = new Logger(CallBudget.name);

  constructor(private readonly queries: CallBudgetQueries) {}

  /** Before each call. @throws StoreRefusal `wait-for-quota` when the organization may not make it now */
  async take(key: KeyName, organizationId: string): Promise<void> {
    const wait = waitFor(await this.queries.useOf(appleKeyHash(key), organizationId));
    if (wait !== null) throw new StoreRefusal(waitRefusal(wait), 0, null);
  }

  /** Counts a call and notes what its answer says about the limit. */
  async learn(key: KeyName, organizationId: string, { status, headers }: StoreResponse): Promise<void> {
    const limit = rateLimitOf(headers);
    const isSuccess = status >= 200 && status <= 299;
    // Anybody can name the key id of others, and is refused: that says nothing about the key.
    const isAuthenticated = isSuccess || (limit !== null && status >= 400 && status < 500 && status !== 401);
    try {
      if (status === 429) {
        const seconds = retryAfterOf(headers) ?? PAUSE_SECONDS;
        await this.queries.pause(appleKeyHash(key), organizationId, seconds);
      } else if (isAuthenticated) {
        await this.queries.count(appleKeyHash(key), organizationId, limit);
      }
    } catch (error) {
      // The call has happened: its result counts more.
      this.logger.error({ err: error }, 'A call of App Store Connect was not counted');
    }
  }
}

/** Deletes counts of calls with keys of App Store Connect, of which only the last hour matters. */
@Injectable()
export class AppleKeyCallsRetention implements OnModuleInit {
  constructor(
    private readonly queries: CallBudgetQueries,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.schedule({
      name: 'apple-key-calls',
      cron: '45 * * * *',
      timeoutSeconds: 600,
      run: () => deleteInBatches(BATCH, (size) => this.queries.deleteOld(size)),
    });
  }
}

/**
 * What a key is called where organizations share something of it: a SHA-256 hash in hexadecimal of issuer and key id. An
 * issuer is a UUID, so another spelling of it is the same key.
 */
export function appleKeyHash({ issuerId, keyId }: KeyName): string {
  return createHash('sha256')
    .update(JSON.stringify([issuerId?.toLowerCase() ?? null, keyId]))
    .digest('hex');
}

/**
 * Decides whether an organization may make a call with a key. Alone, it may use all calls of the hour but the reserve. While
 * several use the key, each may use an equal share. The first call of an organization may use the reserve: until Apple has
 * answered it, the organization does not count.
 *
 * @returns `null`: it may
 */
export function waitFor(use: KeyUse): CallWait | null {
  const { own, all, organizations, pausedSeconds } = use;
  if (pausedSeconds > 0) return { why: 'pause', seconds: Math.ceil(pausedSeconds) };
  if (own === 0) return null;
  const hourLimit = use.hourLimit ?? DEFAULT_HOUR_LIMIT;
  const reserve = Math.floor(hourLimit * RESERVE);
  // Other tools use the key as well; Apple has counted their calls.
  const left = Math.min(hourLimit - all, use.remaining ?? hourLimit) - reserve;
  if (left <= 0) return { why: 'used-up', seconds: LOOK_AGAIN };
  const share = (all + left) / organizations;
  return organizations > 1 && own >= share ? { why: 'share', seconds: LOOK_AGAIN } : null;
}

/** Reads `X-Rate-Limit`. @returns `null`: the header is absent, or says something else */
export function rateLimitOf(headers: IncomingHttpHeaders): RateLimit | null {
  const text = String(headers['x-rate-limit'] ?? '').slice(0, 500);
  const numberOf = (name: string): number | null => {
    const [, digits] = new RegExp(`(?:^|;)\\s*${name}:\\s*(\\d{1,9})\\s*(?:;|$)`).exec(text) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  const [hourLimit, remaining] = [numberOf('user-hour-lim'), numberOf('user-hour-rem')];
  if (hourLimit === null || remaining === null || hourLimit < 1 || hourLimit > MAX_LIMIT) return null;
  return { hourLimit, remaining: Math.min(remaining, hourLimit) };
}

const REASONS: Readonly<Record<CallWait['why'], string>> = {
  pause: 'App Store Connect takes no more calls with this key for now.',
  'used-up': 'The calls that App Store Connect allows with this key in an hour are used up.',
  share:
    'Other organizations use this key of App Store Connect too, and this one has had its share of the hour.',
};

function waitRefusal({ why, seconds }: CallWait): Refusal {
  return {
    code: 'store_rate_limit',
    sentence: `${REASONS[why]} Slipway waits and goes on by itself; if that takes too long, submit again later.`,
    retry: 'again',
    does: 'wait-for-quota',
    afterSeconds: seconds,
  };
}
