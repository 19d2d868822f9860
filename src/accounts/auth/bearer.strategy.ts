import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../../common/access/principal.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TokensService } from '../tokens/tokens.service.js';

/** Turns the bearer token of a request, an API token or a session's, into its principal (RFC 6750). */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    private readonly tokens: TokensService,
    private readonly sessions: SessionsService,
  ) {
    super();
  }

  /** Called by passport; `false` refuses. */
  async validate(token: string): Promise<Principal | false> {
    const sent = token.trim();
    return (
      (await this.tokens.authenticate(sent)) ?? (await this.sessions.authenticate('device', sent)) ?? false
    );
  }
}
