import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { transaction } from '../../database/transactions/transaction.js';
import { UsersService } from '../users/users.service.js';
import { TokensQueries } from './tokens.queries.js';

/** Records when tokens were used. Requests neither wait for it nor fail with it. */
@Injectable()
export class TokenUses extends BackgroundTask {
  private readonly logger = new Logger(TokenUses.name);
  /** Writes in progress, by token. Requests of one token at the same time need one statement only. */
  private readonly writes = new Map<string, Promise<void>>();

  constructor(
    private readonly queries: TokensQueries,
    private readonly users: UsersService,
  ) {
    super();
  }

  /** Records a use of a token whose last recorded use is a while ago. Returns immediately. */
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
  override async stop(): Promise<void> {
    await Promise.all(this.writes.values());
  }

  private async write(tokenId: string, origin: RequestOrigin): Promise<void> {
    await transaction(async () => {
      const userId = await this.queries.recordUse(tokenId, origin);
      if (userId !== null) await this.users.recordSeen(userId);
    });
  }
}
