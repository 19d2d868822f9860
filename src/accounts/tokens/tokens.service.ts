import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { generateApiToken, hashToken, isApiToken } from '../../common/access/api-token.js';
import { isScoped, isSubsetOf, type TokenScope } from '../../common/access/token-scope.js';
import type { Principal } from '../../common/access/principal.js';
import { requireRecentProof } from '../../common/access/recent-proof.js';
import { NotFoundError, UnauthenticatedError, ForbiddenError } from '../../common/errors/app-error.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { CountLimits } from '../../database/count-limits.js';
import { findOrThrow, findPage, insertOrThrow, lockOrThrow, updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { AccountMailsService } from '../account-mails/account-mails.service.js';
import { UsersService } from '../users/users.service.js';
import type { CreateTokenDto, IssuedToken, UpdateTokenDto } from './token.dto.js';
import { ScopeResolver } from './scope-resolver.js';
import { TokenChanges } from './token-changes.js';
import { Token, TOKENS_USER_FKEY } from './token.entity.js';
import { TokenUses } from './token-uses.service.js';
import { type FoundToken, TokensQueries } from './tokens.queries.js';

/** The user was disabled or deleted in the meantime, and with the user the caller's token. */
const userIsGone = () => new UnauthenticatedError('The token is not valid.', true);

const violations = { [TOKENS_USER_FKEY]: userIsGone };

@Injectable()
export class TokensService {
  constructor(
    @InjectRepository(Token) private readonly tokens: Repository<Token>,
    private readonly queries: TokensQueries,
    private readonly scopes: ScopeResolver,
    private readonly changes: TokenChanges,
    private readonly uses: TokenUses,
    private readonly mails: AccountMailsService,
    private readonly limits: CountLimits,
    private readonly users: UsersService,
  ) {}

  /**
   * Finds the user behind a token. Records every few minutes that the token is in use.
   *
   * @param origin where the request comes from
   * @returns `null` for a token that is malformed, unknown or expired
   */
  async authenticate(token: string, origin: RequestOrigin): Promise<Principal | null> {
    if (!isApiToken(token)) return null;
    const found = await this.queries.find(hashToken(token));
    if (found === null) return null;
    if (found.stale) this.uses.record(found.id, origin);
    return principalOf(found);
  }

  /** The users behind tokens that are valid, by hash: for requests that have been authenticated and wait. */
  async findValid(hashes: readonly string[]): Promise<Map<string, Principal>> {
    if (hashes.length === 0) return new Map();
    const found = await this.queries.findAll(hashes);
    return new Map(found.map((token) => [token.hash, principalOf(token)]));
  }

  /**
   * The tokens of the caller's user, newest first. A token that is limited to organizations or apps sees only itself and
   * the tokens that it can manage.
   */
  async list(caller: Principal, query: PageQuery): Promise<Page<Token>> {
    const { userId } = caller;
    const where = isScoped(caller.limits) ? { userId, id: In(await this.visibleIds(caller)) } : { userId };
    return findPage(this.tokens, where, query, { createdAt: 'DESC' });
  }

  /** @throws NotFoundError also for a token that `list` leaves out */
  async get(caller: Principal, id: string): Promise<Token> {
    const token = await findOrThrow(this.tokens, { id, userId: caller.userId });
    if (!isVisible(token, caller)) throw new NotFoundError('Token');
    return token;
  }

  /**
   * Issues a token to the caller; limits that are not given are those of the caller's own token.
   *
   * @throws NotFoundError when it is limited to an organization or app that the caller cannot see
   * @throws ForbiddenError when it would be wider than the caller's own token, or the sign-in of a session is not recent
   * @throws UnauthenticatedError when the user has just been disabled
   * @throws ConflictError when the user has as many tokens as the server allows
   */
  async create(caller: Principal, values: CreateTokenDto): Promise<IssuedToken> {
    requireRecentProof(caller);
    await this.requireVisible(caller, values);
    const limits = changedScope(caller.limits, values);
    requireSubset(limits, caller);
    const secret = generateApiToken();
    const { userId, secondFactorAt = null, method = null } = caller;
    const columns = { userId, name: values.name, secondFactorAt, method, ...limits, ...columnsOf(secret) };
    return transaction(async () => {
      if (!(await this.users.lockIfEnabled(userId))) throw userIsGone();
      await this.limits.requireRoom('tokensPerUser', userId, this.tokens, { userId });
      const token = await insertOrThrow(this.tokens, columns, violations);
      await this.changes.created.notify(token);
      await this.mails.send(userId, 'token-created', token.name);
      return { token, secret };
    });
  }

  /** Stores a token without limits. @param secret an API token that `isApiToken` accepts */
  createFromSecret(userId: string, name: string, secret: string): Promise<Token> {
    return transaction(async () => {
      const columns = { userId, name, permissions: 'all' as const, ...columnsOf(secret) };
      const token = await insertOrThrow(this.tokens, columns);
      await this.changes.created.notify(token);
      return token;
    });
  }

  /**
   * Changes a token. The secret stays. A token that becomes wider keeps a second factor only if the caller has one, too.
   *
   * @throws NotFoundError also when it is limited to an organization or app that the caller cannot see
   * @throws ForbiddenError when the token is, or would become, wider than the caller's own
   */
  async update(caller: Principal, id: string, changes: UpdateTokenDto): Promise<Token> {
    await this.requireVisible(caller, changes);
    return transaction(async () => {
      const token = await this.lock(caller, id);
      const scope = changedScope(scopeOf(token), changes);
      requireSubset(scope, caller);
      const proofs = isSubsetOf(scope, scopeOf(token)) ? {} : weakerProofs(token, caller);
      const updated = await updateOrThrow(
        this.tokens,
        { id, userId: caller.userId },
        {
          name: changes.name,
          expiresAt: changes.expiresAt,
          permissions: changes.permissions,
          organizationIds: changes.organizationIds,
          appIds: changes.appIds,
          ...proofs,
        },
      );
      await this.changes.updated.notify(updated, token);
      return updated;
    });
  }

  /**
   * Gives a token a new secret. The old one stays valid for the overlap, an even older one does not: a token has two
   * secrets at most. Of rotations at the same time the last wins. The token keeps a second factor only if the caller has
   * one, too.
   *
   * @param overlapSeconds how long the old secret stays valid
   * @throws NotFoundError
   * @throws ForbiddenError when the token is wider than the caller's own, or the sign-in of a session is not recent
   */
  async rotate(caller: Principal, id: string, overlapSeconds: number): Promise<IssuedToken> {
    requireRecentProof(caller);
    const secret = generateApiToken();
    return transaction(async () => {
      const found = await this.lock(caller, id);
      const until = databaseNow(overlapSeconds * 1000);
      const previous =
        overlapSeconds === 0
          ? { previousHash: null, previousExpiresAt: null }
          : { previousHash: found.hash, previousExpiresAt: until };
      const token = await updateOrThrow(
        this.tokens,
        { id, userId: caller.userId },
        { ...columnsOf(secret), ...previous, ...weakerProofs(found, caller) },
      );
      await this.changes.rotated.notify(token);
      return { token, secret };
    });
  }

  /**
   * Revokes a token immediately, also the caller's own.
   *
   * @throws NotFoundError
   * @throws ForbiddenError when the token is wider than the caller's own
   */
  async delete(caller: Principal, id: string): Promise<void> {
    await transaction(async () => {
      const token = await this.lock(caller, id);
      await this.tokens.delete({ id, userId: caller.userId });
      await this.changes.deleted.notify(token);
    });
  }

  async deleteAll(userId: string): Promise<void> {
    await transaction(async () => {
      const tokens = await this.tokens.find({
        where: { userId },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      await this.tokens.delete({ userId });
      for (const token of tokens) await this.changes.deleted.notify(token);
    });
  }

  private async visibleIds(caller: Principal): Promise<string[]> {
    const select = { id: true, permissions: true, organizationIds: true, appIds: true, expiresAt: true };
    const tokens = await this.tokens.find({ select, where: { userId: caller.userId } });
    return tokens.filter((token) => isVisible(token, caller)).map(({ id }) => id);
  }

  private requireVisible(caller: Principal, { organizationIds, appIds }: UpdateTokenDto): Promise<void> {
    return this.scopes.requireVisible(caller, organizationIds ?? [], appIds ?? []);
  }

  /** Locks a token until the transaction ends. @throws ForbiddenError when it is wider than the caller's own */
  private async lock(caller: Principal, id: string): Promise<Token> {
    const token = await lockOrThrow(this.tokens, { id, userId: caller.userId });
    requireSubset(scopeOf(token), caller);
    return token;
  }
}

function isVisible(token: Token, { tokenId, limits }: Principal): boolean {
  return !isScoped(limits) || token.id === tokenId || isSubsetOf(scopeOf(token), limits);
}

/** How well the identity behind a token is proved once a caller has changed it: as well as that of both. */
function weakerProofs(token: Token, caller: Principal): Pick<Token, 'secondFactorAt' | 'method'> {
  const times = [token.secondFactorAt, caller.secondFactorAt ?? null];
  const [earlier = null] = times.includes(null) ? [] : times.toSorted((a, b) => Number(a) - Number(b));
  return { secondFactorAt: earlier, method: caller.method === 'oidc' ? 'oidc' : token.method };
}

/** What a row keeps of a secret. */
function columnsOf(secret: string): { hash: string; lastFour: string } {
  return { hash: hashToken(secret), lastFour: secret.slice(-4) };
}

function principalOf(found: FoundToken): Principal {
  const { id, userId, secondFactorAt, method } = found;
  return { userId, tokenId: id, limits: scopeOf(found), secondFactorAt, method };
}

/** The limits in a row of a token. */
function scopeOf({ permissions, organizationIds, appIds, expiresAt }: TokenScope): TokenScope {
  return { permissions, organizationIds, appIds, expiresAt };
}

/** The limits after a change; fields that are absent stay. */
function changedScope(limits: TokenScope, changes: UpdateTokenDto): TokenScope {
  const { permissions, organizationIds, appIds, expiresAt } = changes;
  return {
    permissions: permissions ?? limits.permissions,
    organizationIds: organizationIds === undefined ? limits.organizationIds : organizationIds,
    appIds: appIds === undefined ? limits.appIds : appIds,
    expiresAt: expiresAt === undefined ? limits.expiresAt : expiresAt,
  };
}

/** @throws ForbiddenError when the limits are wider than those of the caller's own token */
function requireSubset(limits: TokenScope, caller: Principal): void {
  if (isSubsetOf(limits, caller.limits)) return;
  throw new ForbiddenError(
    'The token may manage only tokens that are at most as wide as itself and expire no later.',
    'token_limited',
  );
}
