import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { NIL } from 'uuid';
import { invalidField } from '../../common/errors/app-error.js';
import { transaction } from '../../database/transactions/transaction.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { Password } from './password.entity.js';
import { hashPassword, verifyPassword } from './password-hash.js';
import { passwordProblem } from './password-rules.js';
import { PasswordsQueries } from './passwords.queries.js';

@Injectable()
export class PasswordsService {
  /** The hash to verify for users without a password, so that the check takes as long. */
  private decoy: Promise<string> | undefined;

  constructor(
    @InjectRepository(Password) private readonly passwords: Repository<Password>,
    private readonly queries: PasswordsQueries,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Whether this is the password of the user. Takes the same time when the user has none, and when there is no user.
   *
   * @param userId `null`: there is no such user
   * @returns the id of the password, for `isCurrent`; `null`: it is not the user's
   */
  async verify(userId: string | null, password: string): Promise<string | null> {
    const found = await this.passwords.findOneBy({ userId: userId ?? NIL });
    this.decoy ??= hashPassword('');
    const matches = await verifyPassword(password, found?.hash ?? (await this.decoy));
    return matches && found !== null ? found.id : null;
  }

  /** Whether a password that was verified is still the user's. It cannot change until the transaction ends. */
  isCurrent(userId: string, passwordId: string): Promise<boolean> {
    return this.queries.lock(userId, passwordId);
  }

  /** Whether the user has a password. */
  has(userId: string): Promise<boolean> {
    return this.passwords.existsBy({ userId });
  }

  /** Whether any user has a password. */
  exist(): Promise<boolean> {
    return this.passwords.exists();
  }

  /**
   * Sets the password of a user and ends the user's sessions; API tokens stay valid.
   *
   * @param email of the user
   * @param exceptSessionId the session that stays
   * @throws InvalidRequestError when the password breaks the rules
   */
  async set(userId: string, email: string, password: string, exceptSessionId?: string): Promise<void> {
    const hash = await hashNew(password, email);
    await transaction(async () => {
      await this.queries.put(userId, hash);
      await this.sessions.deleteAll(userId, exceptSessionId);
    });
  }

  /**
   * Sets the password of a user who has none. Of several calls at the same time, one succeeds.
   *
   * @param email of the user
   * @returns `false` when the user has a password
   * @throws InvalidRequestError when the password breaks the rules
   */
  async setFirst(userId: string, email: string, password: string): Promise<boolean> {
    return this.setFirstHash(userId, await this.hash(password, email));
  }

  /** As `setFirst`, with a hash of `hash`: in a transaction that must not wait for it. */
  setFirstHash(userId: string, hash: string): Promise<boolean> {
    return this.queries.insertFirst(userId, hash);
  }

  /** Hashes a new password. @throws InvalidRequestError when it breaks the rules */
  hash(password: string, email: string): Promise<string> {
    return hashNew(password, email);
  }

  /** Deletes the password of a user. */
  async delete(userId: string): Promise<void> {
    await this.passwords.delete({ userId });
  }
}

/** @throws InvalidRequestError when the password breaks the rules */
async function hashNew(password: string, email: string): Promise<string> {
  const problem = await passwordProblem(password, email);
  if (problem !== null) throw invalidField('password', problem);
  return hashPassword(password);
}
