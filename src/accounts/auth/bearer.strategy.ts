import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../../common/access/principal.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TokensService } from '../tokens/tokens.service.js';

/** Turns the bearer token of a request, an API token or a session's, into its principal (RFC 6750). */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    private readonly tokens: TokensService,
    private readonly sessions: SessionsService,
  ) {
    super({ passReqToCallback: true });
  }

  /** Called by passport; `false` refuses. */
  async validate(request: Request, token: string): Promise<Principal | false> {
    const sent = token.trim();
    const byToken = await this.tokens.authenticate(sent, requestOriginOf(request, null));
    return byToken ?? (await this.sessions.authenticate('device', sent)) ?? false;
  }
}
