import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../../common/access/principal.js';
import { TokensService } from '../tokens/tokens.service.js';

/** Turns the bearer token of a request into its principal (RFC 6750). */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly tokens: TokensService) {
    super();
  }

  /** Called by passport; `false` refuses. */
  async validate(token: string): Promise<Principal | false> {
    return (await this.tokens.authenticate(token.trim())) ?? false;
  }
}
