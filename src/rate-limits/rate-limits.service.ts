import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { MachineToken } from '../common/access/authenticated-by.decorator.js';
import { RateLimitedError } from '../common/errors/app-error.js';
import { requestOriginOf } from '../common/request-origin/request-origin.js';
import { networkOf } from '../common/request-origin/networks.js';
import { Config } from '../config/config.js';
import { quotaOf, type RateLimitPolicy, WINDOW_SECONDS } from './rate-limit-policy.js';
import { SharedCounters } from './shared-counters.js';

/** Limits the number of calls of a caller. */
@Injectable()
export class RateLimitsService {
  constructor(
    private readonly config: Config,
    private readonly counters: SharedCounters,
  ) {}

  /**
   * Counts one call by its token.
   *
   * @throws RateLimitedError when the quota is used up
   */
  countToken(tokenId: string, response: Response): void {
    this.count('token', tokenId, response);
  }

  /**
   * Counts one call of a runner, or one about a job.
   *
   * @throws RateLimitedError when the quota is used up
   */
  countMachine(policy: MachineToken, id: string, response: Response): void {
    this.count(policy, id, response);
  }

  /**
   * Counts one call by its IPv4 address or its IPv6 network.
   *
   * @throws RateLimitedError when the quota is used up
   */
  countAddress(
    policy: Exclude<RateLimitPolicy, 'token' | MachineToken>,
    request: Request,
    response: Response,
  ): void {
    this.count(policy, networkOf(requestOriginOf(request).address), response);
  }

  /**
   * Counts a token of which only the database knows whether it is valid, by its address. Each address may send twice as
   * many as calls without a valid token, so that those who share it with an attacker are still let through.
   *
   * @throws RateLimitedError when the quota is used up
   */
  countLookup(request: Request): void {
    const quota = 2 * quotaOf('address', this.config.rateLimits);
    if (quota === 0) return;
    const network = networkOf(requestOriginOf(request).address);
    const { admitted, resetSeconds } = this.counters.take(`lookup ${network}`, quota);
    if (!admitted) throw new RateLimitedError(resetSeconds);
  }

  /** Sets the header fields of draft-ietf-httpapi-ratelimit-headers. */
  private count(policy: RateLimitPolicy, caller: string, response: Response): void {
    const quota = quotaOf(policy, this.config.rateLimits);
    if (quota === 0) return;
    const { admitted, remaining, resetSeconds } = this.counters.take(`${policy} ${caller}`, quota);
    response.setHeader('RateLimit-Policy', `"${policy}";q=${quota};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
    if (!admitted) throw new RateLimitedError(resetSeconds);
  }
}
