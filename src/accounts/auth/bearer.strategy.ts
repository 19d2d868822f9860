import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../../common/access/principal.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TokensService } from '../tokens/tokens.service.js';

/** Finds the principal of a bearer token (RFC 6750): an API token, or the token of a session. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    private readonly tokens: TokensService,
    private readonly sessions: SessionsService,
  ) {
    super({ passReqToCallback: true });
  }

  /** Passport calls it; `false` refuses the request. */
  async validate(request: Request, token: string): Promise<Principal | false> {
    const sent = token.trim();
    const byToken = await this.tokens.authenticate(sent, requestOriginOf(request));
    return byToken ?? (await this.sessions.authenticate('device', sent)) ?? false;
  }
}
