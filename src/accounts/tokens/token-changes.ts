import { Injectable } from '@nestjs/common';
import { Listeners } from '../../common/listeners.js';
import type { Token } from './token.entity.js';

/** Changes of API tokens, for the organizations that they can see. */
@Injectable()
export class TokenChanges {
  readonly created = new Listeners<[token: Token]>();
  /** A request has set the name, the expiry or the limits, maybe to what they were. */
  readonly updated = new Listeners<[token: Token, before: Token]>();
  /** It has a new secret. */
  readonly rotated = new Listeners<[token: Token]>();
  readonly deleted = new Listeners<[token: Token]>();
}
