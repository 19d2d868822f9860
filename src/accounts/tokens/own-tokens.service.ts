import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { generateApiToken, hashToken } from '../../common/access/api-token.js';
import { deleteOrThrow, insertOrThrow } from '../../database/rows.js';
import { Token } from './token.entity.js';

/** Most tokens that the page of a user shows. */
const SHOWN = 200;

/** What somebody does with their own API tokens on the settings page. */
@Injectable()
export class OwnTokensService {
  constructor(@InjectRepository(Token) private readonly tokens: Repository<Token>) {}

  /** The tokens of a user, newest first. */
  list(userId: string): Promise<Token[]> {
    return this.tokens.find({ where: { userId }, order: { createdAt: 'DESC', id: 'DESC' }, take: SHOWN });
  }

  /**
   * Creates a token with all rights of its user.
   *
   * @returns the token itself, which is known only now
   */
  async create(userId: string, name: string, expiresAt: Date | null): Promise<string> {
    const token = generateApiToken();
    await insertOrThrow(this.tokens, { userId, name, hash: hashToken(token), expiresAt });
    return token;
  }

  /** @throws NotFoundError */
  delete(userId: string, id: string): Promise<void> {
    return deleteOrThrow(this.tokens, { userId, id });
  }
}
