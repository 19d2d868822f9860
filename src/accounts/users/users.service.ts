import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { findOrThrow, insertOrThrow } from '../../database/rows.js';
import { User } from './user.entity.js';

@Injectable()
export class UsersService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /** @throws NotFoundError */
  get(id: string): Promise<User> {
    return findOrThrow(this.users, { id });
  }

  /** @param email in lower case */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findOneBy({ email });
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
