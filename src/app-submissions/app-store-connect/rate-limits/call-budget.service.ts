import { Injectable, Logger } from '@nestjs/common';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { retryAfterOf } from '../../calls/refusals/retry-delay.js';
import type { StoreResponse } from '../../calls/store-session.js';
import type { AppleApiKey } from '../api/apple-token.js';
import { appleKeyHash } from './apple-key-hash.js';
import { CallBudgetQueries } from './call-budget.queries.js';
import { type CallWait, waitFor } from './call-share.js';
import { rateLimitOf } from './rate-limit-header.js';

type KeyName = Pick<AppleApiKey, 'keyId' | 'issuerId'>;

/** After a 429 without `Retry-After`, in seconds. */
const PAUSE_SECONDS = 60;

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
