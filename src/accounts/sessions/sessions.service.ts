import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, type Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { hashToken } from '../../common/access/api-token.js';
import type { Principal } from '../../common/access/principal.js';
import { unscoped } from '../../common/access/token-scope.js';
import { generateSessionToken, isSessionToken, type SessionKind } from '../../common/access/session-token.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { deleteOrThrow, findPage, insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { Session, type SignIn } from './session.entity.js';
import { endedBefore } from './session-lifetime.js';
import { type FoundSession, SessionsQueries } from './sessions.queries.js';
import { UsersService } from '../users/users.service.js';

/** A session that was just made, with the token that is known only now. */
export interface NewSession {
  readonly id: string;
  readonly token: string;
}

/** The caller behind the token of a session. */
export type SessionPrincipal = Principal & SignIn & { readonly sessionId: string };

@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly queries: SessionsQueries,
    private readonly users: UsersService,
  ) {}

  /**
   * Finds the user behind a session token. Records every few minutes that the token is in use.
   *
   * @returns `null` for a token that is malformed, of another kind, unknown or expired
   */
  async authenticate(kind: SessionKind, token: string): Promise<SessionPrincipal | null> {
    if (!isSessionToken(kind, token)) return null;
    const found = await this.queries.find(kind, hashToken(token));
    if (found === null) return null;
    if (found.stale) await this.recordUse(found);
    return principalOf(found);
  }

  /** The users behind sessions that have not ended, by id: for requests that have been authenticated and wait. */
  async findAlive(ids: readonly string[]): Promise<Map<string, SessionPrincipal>> {
    if (ids.length === 0) return new Map();
    const found = await this.queries.findAll(ids);
    return new Map(found.map((session) => [session.id, principalOf(session)]));
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
   * @throws ForbiddenError when the user is disabled
   */
  create(
    userId: string,
    kind: SessionKind,
    origin: RequestOrigin,
    { method, secondFactorAt, provedAt }: SignIn,
  ): Promise<NewSession> {
    return transaction(async () => {
      await this.users.lockEnabled(userId);
      await this.queries.deleteEnded(userId);
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

  /** Ends a session of the user, unless it has ended already. */
  async end(userId: string, id: string): Promise<void> {
    await this.sessions.delete({ userId, id });
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

  private recordUse({ id, userId }: FoundSession): Promise<void> {
    return transaction(async () => {
      // The user first, as in every transaction that locks both.
      await this.users.recordSeen(userId);
      await this.queries.recordUse(id);
    });
  }
}

function principalOf({ id, userId, method, secondFactorAt, provedAt }: FoundSession): SessionPrincipal {
  return { userId, tokenId: id, sessionId: id, limits: unscoped, method, secondFactorAt, provedAt };
}
