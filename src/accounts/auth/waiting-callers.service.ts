import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { hashToken } from '../../common/access/api-token.js';
import type { Principal } from '../../common/access/principal.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TokensService } from '../tokens/tokens.service.js';

/** The caller of a request that waits, and what it has proved that with. */
export interface WaitingCaller {
  readonly principal: Principal;
  /** SHA-256 of the API token; `null`: a session. */
  readonly tokenHash: string | null;
}

/**
 * Authenticates the callers of requests that wait again: their tokens may have been revoked or changed in the meantime.
 */
@Injectable()
export class WaitingCallers {
  constructor(
    private readonly tokens: TokensService,
    private readonly sessions: SessionsService,
  ) {}

  /** @param request that the guards have let through */
  of(principal: Principal, { headers }: Request): WaitingCaller {
    if (principal.sessionId !== undefined) return { principal, tokenHash: null };
    const token = (headers.authorization ?? '').replace(/^\S+\s+/, '').trim();
    return { principal, tokenHash: hashToken(token) };
  }

  /**
   * In one statement for all tokens, and one for all sessions.
   *
   * @returns the principals as they are now, in the order of the callers; `null`: its token is no longer valid
   */
  async authenticateAgain(callers: readonly WaitingCaller[]): Promise<(Principal | null)[]> {
    const hashes = new Set(callers.flatMap(({ tokenHash }) => tokenHash ?? []));
    const ids = new Set(callers.flatMap(({ principal }) => principal.sessionId ?? []));
    const byHash = await this.tokens.findValid([...hashes]);
    const byId = await this.sessions.findAlive([...ids]);
    return callers.map(({ principal, tokenHash }) => {
      const found = tokenHash === null ? byId.get(principal.tokenId) : byHash.get(tokenHash);
      if (found === undefined) return null;
      return principal.origin === undefined ? found : { ...found, origin: principal.origin };
    });
  }
}
