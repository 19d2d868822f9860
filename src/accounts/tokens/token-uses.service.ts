import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { USE_RECORDED_EVERY } from '../../common/access/use-recorded-every.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { sql } from '../../database/sql.js';

/** Records when tokens were used. Requests neither wait for it nor fail with it. */
@Injectable()
export class TokenUses implements BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenUses.name);
  /** Writes in progress, by token. Requests of one token at the same time need one statement only. */
  private readonly writes = new Map<string, Promise<void>>();

  /** Records a use of a token whose last recorded use is a while ago. Returns at once. */
  record(tokenId: string, origin: RequestOrigin): void {
    if (this.writes.has(tokenId)) return;
    const write = this.write(tokenId, origin)
      .catch((error: unknown) =>
        this.logger.warn({ err: error, tokenId }, 'The use of a token was not recorded'),
      )
      .finally(() => this.writes.delete(tokenId));
    this.writes.set(tokenId, write);
  }

  /** Finishes the last writes before the database closes. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writes.values());
  }

  /** Another replica may have recorded it first, so the statement checks again. */
  private async write(tokenId: string, { address, userAgent }: RequestOrigin): Promise<void> {
    await sql(
      `WITH used AS (
         UPDATE tokens SET last_used_at = now(), last_used_address = $3, last_used_client = $4
          WHERE id = $1 AND coalesce(last_used_at < now() - $2::interval, true)
         RETURNING user_id)
       UPDATE users SET last_seen_at = now() FROM used WHERE users.id = used.user_id`,
      [tokenId, USE_RECORDED_EVERY, address, userAgent],
    );
  }
}
