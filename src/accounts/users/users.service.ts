import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { findOrThrow, insertOrThrow } from '../../database/rows.js';
import { User } from './user.entity.js';

@Injectable()
export class UsersService {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  /**
   * @param tx a running transaction that sees the user
   * @throws NotFoundError
   */
  get(id: string): Promise<User> {
    const users = this.users;
    return findOrThrow(users, { id });
  }

  /**
   * @param email in lower case
   * @param tx a running transaction that sees the user
   */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findOneBy({ email });
  }

  /** Notes what people call the user. */
  async setName(id: string, name: string): Promise<void> {
    await this.users.update({ id }, { name });
  }

  /** Notes that the user's e-mail address is known to be the user's. */
  async confirmEmail(id: string): Promise<void> {
    await this.users.update({ id }, { emailVerified: true });
  }

  /** Notes whether the user has a second factor. */
  async setTwoFactorEnabled(id: string, twoFactorEnabled: boolean): Promise<void> {
    await this.users.update({ id }, { twoFactorEnabled });
  }

  /** @param email kept in lower case */
  create(email: string): Promise<User> {
    return insertOrThrow(this.users, { email: email.toLowerCase(), emailVerified: true });
  }

  /** Whether there is any user at all. */
  exist(): Promise<boolean> {
    return this.users.exists();
  }
}
