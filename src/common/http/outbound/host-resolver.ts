import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { OutboundPurpose } from '../../../config/outbound-allow.js';
import { Limits } from '../../background/limits.js';
import { processLimits } from '../../background/shared-capacity.js';
import { unlessAborted } from '../../background/unless-aborted.js';
import { LookupHelper } from './lookup-helper.js';

/** A thread each, which costs little until it is used. */
const THREADS = processLimits['name-lookups'].atOnce + processLimits['webhook-lookups'].atOnce;

/** Names of webhooks are not looked up again for this long, in milliseconds: there are many calls to each. */
const WEBHOOK_NAMES_MS = 5000;

/** Names that cannot be resolved are not looked up again for this long, in milliseconds. */
const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 1000;

/** A helper without work ends after this long, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * Turns the host of a URL into addresses, as the operating system does: with its hosts file and search domains. Another
 * process does it, because each look-up holds a thread until the name server answers, and files and compression need those
 * of this process.
 */
@Injectable()
export class HostResolver {
  /** Milliseconds for one name, waiting included. */
  protected readonly timeoutMs: number = 5000;
  private readonly webhookNames = new LRUCache<string, string[]>({
    max: MAX_REMEMBERED,
    ttl: WEBHOOK_NAMES_MS,
  });
  private readonly failures = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  private helper: LookupHelper | null = null;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly limits: Limits) {}

  /**
   * @param organizationId whose work it is
   * @param host a name, or a literal address without brackets
   * @param leaving aborted when no caller waits: a look-up that has not begun is dropped
   * @param purpose of the call
   * @throws Error when there is no such name, or it cannot be resolved in time
   */
  async resolve(
    organizationId: string,
    host: string,
    leaving: AbortSignal,
    purpose?: OutboundPurpose,
  ): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    const isWebhook = purpose === 'webhook';
    const known = isWebhook ? this.webhookNames.get(host) : undefined;
    if (known !== undefined) return known;
    if (this.failures.has(host)) throw new Error('The name could not be resolved a moment ago.');
    const patience = AbortSignal.any([leaving, AbortSignal.timeout(this.timeoutMs)]);
    // An account has many webhooks, which are called at the same time: names whose server is silent must not hold up others.
    const limit = isWebhook ? 'webhook-lookups' : 'name-lookups';
    const found = this.limits.run(limit, organizationId, () => this.lookup(host), { signal: patience });
    // It may continue after the last caller has left.
    found.catch(() => undefined);
    const addresses = await unlessAborted(patience, found);
    if (addresses.length === 0) throw new Error('There is no such name.');
    if (isWebhook) this.webhookNames.set(host, addresses);
    return addresses;
  }

  protected startHelper(): LookupHelper {
    return LookupHelper.start(THREADS);
  }

  /** @returns none when there is no such name, or the name server does not answer */
  private async lookup(host: string): Promise<string[]> {
    if (this.helper?.isUsable !== true) this.helper = this.startHelper();
    const { helper } = this;
    const addresses = await helper.lookup(host, this.timeoutMs);
    if (addresses?.length === 0) this.failures.set(host, true);
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.endIdle(), IDLE_MS).unref();
    return addresses ?? [];
  }

  private endIdle(): void {
    if (this.helper?.pending === 0) this.helper.retire();
  }
}
