import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { findOrThrow, insertOrThrow } from '../../database/rows.js';
import { User } from './user.entity.js';

@Injectable()
export class UsersService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /**
   * @param tx a running transaction that sees the user
   * @throws NotFoundError
   */
  get(id: string, tx?: EntityManager): Promise<User> {
    const users = tx ? tx.withRepository(this.users) : this.users;
    return findOrThrow(users, { id });
  }

  /**
   * @param email in lower case
   * @param tx a running transaction that sees the user
   */
  findByEmail(email: string, tx?: EntityManager): Promise<User | null> {
    return (tx ? tx.withRepository(this.users) : this.users).findOneBy({ email });
  }

  /** Notes what people call the user. */
  async setName(tx: EntityManager, id: string, name: string): Promise<void> {
    await tx.withRepository(this.users).update({ id }, { name });
  }

  /** Notes that the user's e-mail address is known to be the user's. */
  async confirmEmail(tx: EntityManager, id: string): Promise<void> {
    await tx.withRepository(this.users).update({ id }, { emailVerified: true });
  }

  /** Notes whether the user has a second factor. */
  async setTwoFactorEnabled(tx: EntityManager, id: string, twoFactorEnabled: boolean): Promise<void> {
    await tx.withRepository(this.users).update({ id }, { twoFactorEnabled });
  }

  /** @param email kept in lower case */
  create(tx: EntityManager, email: string): Promise<User> {
    return insertOrThrow(tx.withRepository(this.users), { email: email.toLowerCase(), emailVerified: true });
  }

  /** Whether there is any user at all. */
  exist(tx: EntityManager): Promise<boolean> {
    return tx.withRepository(this.users).exists();
  }
}
