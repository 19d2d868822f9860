import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { hashToken, isApiToken } from '../../common/access/api-token.js';
import type { Principal } from '../../common/access/principal.js';
import { insertOrThrow } from '../../database/rows.js';
import { Token } from './token.entity.js';

/** How far `lastUsedAt` and `lastSeenAt` may lag behind: they are not worth a write for each request. */
const USE_RECORDED_EVERY = '5 minutes';

@Injectable()
export class TokensService {
  constructor(@InjectRepository(Token) private readonly tokens: Repository<Token>) {}

  /**
   * Finds whom a token belongs to, and notes now and then that it was used.
   *
   * @returns `null` for a token that is malformed, unknown or expired
   */
  async authenticate(token: string): Promise<Principal | null> {
    if (!isApiToken(token)) return null;
    const [found] = await this.tokens.query<{ id: string; userId: string; stale: boolean }[]>(
      `SELECT id, user_id AS "userId",
              coalesce(last_used_at < now() - $2::interval, true) AS stale
         FROM tokens
        WHERE hash = $1 AND (expires_at IS NULL OR expires_at > now())`,
      [hashToken(token), USE_RECORDED_EVERY],
    );
    if (found === undefined) return null;
    if (found.stale) await this.recordUse(found.id);
    return { userId: found.userId, tokenId: found.id };
  }

  /**
   * Stores a token under its hash.
   *
   * @param tx the running transaction
   * @param token the token as `generateApiToken` made it
   */
  create(tx: EntityManager, userId: string, name: string, token: string): Promise<Token> {
    return insertOrThrow(tx.withRepository(this.tokens), { userId, name, hash: hashToken(token) });
  }

  private async recordUse(id: string): Promise<void> {
    await this.tokens.query(
      `WITH used AS (UPDATE tokens SET last_used_at = now() WHERE id = $1 RETURNING user_id)
       UPDATE users SET last_seen_at = now() FROM used WHERE users.id = used.user_id`,
      [id],
    );
  }
}
