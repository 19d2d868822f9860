import { LRUCache } from 'lru-cache';
import { hashToken } from '../../common/access/api-token.js';

/** About 2 MB. */
const MAX_TOKENS = 10_000;
/** In milliseconds. */
const REMEMBERED_FOR = 5 * 60_000;

/**
 * The `Authorization` headers, and the cookies of pages, whose tokens were valid in the last five minutes. They may no
 * longer be valid. Kept as hashes.
 */
export class RecentTokens {
  private readonly hashes = new LRUCache<string, true>({
    // With `max`, the library would allocate the memory of all of them at once.
    maxSize: MAX_TOKENS,
    sizeCalculation: () => 1,
    ttl: REMEMBERED_FOR,
  });

  /** Its token is valid now. */
  add(sent: string): void {
    this.hashes.set(hashToken(sent), true);
  }

  has(sent: string): boolean {
    return this.hashes.has(hashToken(sent));
  }
}
