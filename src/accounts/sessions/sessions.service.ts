import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, type Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { hashToken } from '../../common/access/api-token.js';
import type { Principal } from '../../common/access/principal.js';
import { unscoped } from '../../common/access/token-scope.js';
import { generateSessionToken, isSessionToken, type SessionKind } from '../../common/access/session-token.js';
import { USE_RECORDED_EVERY } from '../../common/access/use-recorded-every.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { Session, type SignInMethod } from './session.entity.js';
import { endedBefore, SESSION_IS_ALIVE } from './session-lifetime.js';
import { sql } from '../../database/sql.js';

/** A session that was just made, with the token that is known only now. */
export interface NewSession {
  readonly id: string;
  readonly token: string;
}

/** How a user proved their identity. */
export interface SignIn {
  readonly method: SignInMethod;
  /** When a second factor was proved, here or at the OpenID provider; `null`: never. */
  readonly secondFactorAt: Date | null;
  /** When the user last proved their identity; `null`: not known. */
  readonly provedAt: Date | null;
}

/** The caller behind the token of a session. */
export type SessionPrincipal = Principal & SignIn & { readonly sessionId: string };

@Injectable()
export class SessionsService {
  constructor(@InjectRepository(Session) private readonly sessions: Repository<Session>) {}

  /**
   * Finds the user behind a session token. Records every few minutes that the token is in use.
   *
   * @returns `null` for a token that is malformed, of another kind, unknown or expired
   */
  async authenticate(kind: SessionKind, token: string): Promise<SessionPrincipal | null> {
    if (!isSessionToken(kind, token)) return null;
    const [found] = await sql<SignIn & { id: string; userId: string; stale: boolean }>(
      `SELECT id, user_id AS "userId", method, second_factor_at AS "secondFactorAt", proved_at AS "provedAt",
              last_used_at < now() - $3::interval AS stale
         FROM sessions
        WHERE hash = $1 AND kind = $2 AND ${SESSION_IS_ALIVE}`,
      [hashToken(token), kind, USE_RECORDED_EVERY],
    );
    if (found === undefined) return null;
    if (found.stale) await this.recordUse(found.id);
    const { id, userId, method, secondFactorAt, provedAt } = found;
    return { userId, tokenId: id, sessionId: id, limits: unscoped, method, secondFactorAt, provedAt };
  }

  /** The sessions of a user that have not ended, newest first. */
  async list(userId: string, query: PageQuery): Promise<Page<Session>> {
    const ended = endedBefore(databaseNow());
    const alive = { createdAt: MoreThan(ended.createdAt), lastUsedAt: MoreThan(ended.lastUsedAt) };
    return findPage(this.sessions, { userId, ...alive }, query, { createdAt: 'DESC' });
  }

  /**
   * Signs a user in. Sessions of the user that have ended are removed.
   *
   * @param signIn how the user proved their identity
   */
  create(
    userId: string,
    kind: SessionKind,
    origin: RequestOrigin,
    { method, secondFactorAt, provedAt }: SignIn,
  ): Promise<NewSession> {
    return transaction(async () => {
      await sql(`DELETE FROM sessions WHERE user_id = $1 AND NOT (${SESSION_IS_ALIVE})`, [userId]);
      const token = generateSessionToken(kind);
      const { id } = await insertOrThrow(this.sessions, {
        userId,
        kind,
        hash: hashToken(token),
        method,
        secondFactorAt,
        provedAt,
        address: origin.address ?? '',
        userAgent: origin.userAgent,
      });
      return { id, token };
    });
  }

  /** Records that the user of a session has just proved a second factor. */
  async recordSecondFactor(id: string): Promise<void> {
    const now = databaseNow();
    await this.sessions.update({ id }, { secondFactorAt: now, provedAt: now });
  }

  /** Records that the user of a session has just proved their identity again. */
  async recordProof(id: string): Promise<void> {
    await this.sessions.update({ id }, { provedAt: databaseNow() });
  }

  /** Ends a session of the user. @throws NotFoundError */
  delete(userId: string, id: string): Promise<void> {
    return deleteOrThrow(this.sessions, { userId, id });
  }

  /**
   * Ends all sessions of the user, for example because the password has changed.
   *
   * @param exceptId the session that stays
   */
  async deleteAll(userId: string, exceptId?: string): Promise<void> {
    const others = exceptId === undefined ? {} : { id: Not(exceptId) };
    await this.sessions.delete({ userId, ...others });
  }

  private async recordUse(id: string): Promise<void> {
    await sql(
      `WITH used AS (UPDATE sessions SET last_used_at = now() WHERE id = $1 RETURNING user_id)
       UPDATE users SET last_seen_at = now() FROM used WHERE users.id = used.user_id`,
      [id],
    );
  }
}
