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

/** The hash of a new password that follows the rules. */
export interface NewPassword {
  readonly hash: string;
}

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

  has(userId: string): Promise<boolean> {
    return this.passwords.existsBy({ userId });
  }

  /** Whether any user has a password. */
  exist(): Promise<boolean> {
    return this.passwords.exists();
  }

  /**
   * Hashes a new password, which takes a while: before a transaction that others wait for.
   *
   * @param email of the user
   * @throws InvalidRequestError when it breaks the rules
   */
  async prepare(password: string, email: string): Promise<NewPassword> {
    const problem = await passwordProblem(password, email);
    if (problem !== null) throw invalidField('password', problem);
    return { hash: await hashPassword(password) };
  }

  /**
   * Sets the password of a user and ends the user's sessions; API tokens stay valid.
   *
   * @param exceptSessionId the session that stays
   */
  async set(userId: string, { hash }: NewPassword, exceptSessionId?: string): Promise<void> {
    await transaction(async () => {
      await this.queries.put(userId, hash);
      await this.sessions.deleteAll(userId, exceptSessionId);
    });
  }

  /**
   * Sets the password of a user who has none. Of several calls at the same time, one succeeds.
   *
   * @returns `false` when the user has a password
   */
  setFirst(userId: string, { hash }: NewPassword): Promise<boolean> {
    return this.queries.insertFirst(userId, hash);
  }

  async delete(userId: string): Promise<void> {
    await this.passwords.delete({ userId });
  }
}
