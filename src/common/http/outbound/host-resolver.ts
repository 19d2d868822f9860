import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';

/**
 * Each lookup occupies a thread of Node.js, of which there are four, and which files and compression need, too. A name
 * server of a user that does not answer must not take all of them.
 */
const CONCURRENT_LOOKUPS = 2;

/** Turns the host of a URL into addresses, as the operating system does: with its hosts file and search domains. */
@Injectable()
export class HostResolver {
  private readonly limit = pLimit(CONCURRENT_LOOKUPS);

  /**
   * @param host a name, or a literal address without brackets
   * @throws Error when there is no such name
   */
  async resolve(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    const found = await this.limit(() => lookup(host, { all: true, order: 'verbatim' }));
    return found.map(({ address }) => address);
  }
}
