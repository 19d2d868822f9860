import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { USE_RECORDED_EVERY } from '../../common/access/use-recorded-every.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { sql } from '../../database/sql.js';

/** Notes when tokens were used, beside the requests that use them: none waits for it, and none fails with it. */
@Injectable()
export class TokenUses implements BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenUses.name);
  /** What is being written, by token: many requests at once are worth one statement. */
  private readonly writes = new Map<string, Promise<void>>();

  /** Notes a use of a token whose last one was noted long ago. Returns at once. */
  record(tokenId: string, origin: RequestOrigin): void {
    if (this.writes.has(tokenId)) return;
    const write = this.write(tokenId, origin)
      .catch((error: unknown) =>
        this.logger.warn({ err: error, tokenId }, 'The use of a token was not noted'),
      )
      .finally(() => this.writes.delete(tokenId));
    this.writes.set(tokenId, write);
  }

  /** Lets the last ones be written before the database is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writes.values());
  }

  /** Another replica may have been faster, so the statement looks again. */
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
