import { AppleError, item } from './apple-error.ts';

const HOUR = 3_600_000;

/**
 * Calls per key within a rolling hour: https://developer.apple.com/documentation/appstoreconnectapi/identifying-rate-limits.
 * The page names the header, and no number; 3600 is what responses have. Bursts are refused as well, and how many calls
 * are one is not documented.
 */
export class RateLimits {
  limit = 3600;
  /** So many calls within so many milliseconds are refused. */
  burst: { calls: number; within: number } | null = null;
  /** Whether refusals have `Retry-After`. */
  sendsRetryAfter = true;
  private readonly calls = new Map<string, number[]>();

  clear(): void {
    this.calls.clear();
    this.limit = 3600;
    this.burst = null;
    this.sendsRetryAfter = true;
  }

  /** The key has no calls left for a time. */
  exhaust(keyId: string, seconds: number): void {
    const at = Date.now() - HOUR + seconds * 1000;
    this.calls.set(
      keyId,
      Array.from({ length: this.limit }, () => at),
    );
  }

  /** Leaves a key so many calls in this hour. */
  leave(keyId: string, remaining: number): void {
    this.calls.set(
      keyId,
      Array.from({ length: this.limit - remaining }, () => Date.now()),
    );
  }

  /** Counts a call. @throws AppleError 429 */
  count(keyId: string): void {
    const now = Date.now();
    const calls = this.recent(keyId);
    const first = calls[calls.length - this.limit];
    if (first !== undefined) throw this.refused(first + HOUR - now);
    const earlier = this.burst === null ? undefined : calls[calls.length - this.burst.calls];
    if (this.burst !== null && earlier !== undefined && now - earlier < this.burst.within)
      throw this.refused(earlier + this.burst.within - now);
    calls.push(now);
  }

  /** The header of every answer to a key. */
  headerOf(keyId: string): string {
    const remaining = Math.max(0, this.limit - this.recent(keyId).length);
    return `user-hour-lim:${this.limit};user-hour-rem:${remaining};`;
  }

  private recent(keyId: string): number[] {
    const calls = (this.calls.get(keyId) ?? []).filter((at) => at > Date.now() - HOUR);
    this.calls.set(keyId, calls);
    return calls;
  }

  private refused(milliseconds: number): AppleError {
    const seconds = String(Math.max(1, Math.ceil(milliseconds / 1000)));
    return rateLimited(this.sendsRetryAfter ? { 'Retry-After': seconds } : {});
  }
}

export function rateLimited(headers: Readonly<Record<string, string>>): AppleError {
  const error = item(
    429,
    'RATE_LIMIT_EXCEEDED',
    'The request rate limit has been reached.',
    "We've received too many requests for this API. Please wait and try again or slow down your request rate.",
  );
  return new AppleError([error], headers);
}
