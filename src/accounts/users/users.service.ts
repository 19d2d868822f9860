import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { errorOf } from '../../common/errors/app-error.js';
import { findOrThrow, insertOrThrow } from '../../database/rows.js';
import { toUserReferenceDto, type UserReferenceDto } from './user.dto.js';
import { User } from './user.entity.js';
import { UsersQueries } from './users.queries.js';

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly queries: UsersQueries,
  ) {}

  /** @throws NotFoundError */
  get(id: string): Promise<User> {
    return findOrThrow(this.users, { id });
  }

  /**
   * The user, if the e-mail address is verified.
   *
   * @throws NotFoundError
   * @throws ForbiddenError when it is not
   */
  async requireVerified(id: string): Promise<User> {
    const user = await this.get(id);
    if (user.emailVerified) return user;
    throw errorOf('email_not_verified');
  }

  /** The user; `null`: deleted. */
  find(id: string): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  /** How people call the user: the full name, or else the e-mail address; `null`: deleted. */
  async nameOf(id: string): Promise<string | null> {
    const user = await this.find(id);
    return user === null ? null : (user.name ?? user.email);
  }

  /** Those that exist, in any order. */
  getMany(ids: readonly string[]): Promise<User[]> {
    return this.users.findBy({ id: In(ids) });
  }

  /** Who some users are, by their ids: one statement for any number. @param ids may repeat; `null` is no user */
  async referencesTo(ids: readonly (string | null)[]): Promise<Map<string, UserReferenceDto>> {
    const known = [...new Set(ids.filter((id) => id !== null))];
    const users = known.length === 0 ? [] : await this.getMany(known);
    return new Map(users.map((user) => [user.id, toUserReferenceDto(user)]));
  }

  /** @param email in lower case */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findOneBy({ email });
  }

  /** Sets the display name of the user. */
  async setName(id: string, name: string): Promise<void> {
    await this.users.update({ id }, { name });
  }

  /** Marks the e-mail address of the user as verified. */
  async confirmEmail(id: string): Promise<void> {
    await this.users.update({ id }, { emailVerified: true });
  }

  /** Records whether the user has a second factor. */
  async setTwoFactorEnabled(id: string, twoFactorEnabled: boolean): Promise<void> {
    await this.users.update({ id }, { twoFactorEnabled });
  }

  /** @param email in any case; stored in lower case */
  create(email: string, emailVerified = true): Promise<User> {
    return insertOrThrow(this.users, { email: email.toLowerCase(), emailVerified });
  }

  /** Others that create the user of this address, or sign that user in for the first time, wait until the transaction ends. */
  lockEmail(email: string): Promise<void> {
    return this.queries.lockEmail(email);
  }

  /**
   * Locks a user until the transaction ends. Everything that lets the user in later, such as a session, is made under
   * this lock: what is made first is deleted when the user is disabled, and nothing is made afterwards.
   *
   * @throws ForbiddenError when the user is disabled
   */
  async lockEnabled(id: string): Promise<void> {
    if (!(await this.lockIfEnabled(id))) throw errorOf('user_disabled');
  }

  /** As `lockEnabled`. @returns `false` when the user is disabled or deleted */
  lockIfEnabled(id: string): Promise<boolean> {
    return this.queries.lockEnabled(id);
  }

  /** Marks a user as disabled; `DisabledUsers` also ends what the user has. */
  disable(id: string): Promise<void> {
    return this.queries.disable(id);
  }

  /** Ends `disable`. */
  async enable(id: string): Promise<void> {
    await this.users.update({ id }, { disabledAt: null });
  }

  /** Whether there is any user at all. */
  exist(): Promise<boolean> {
    return this.users.exists();
  }

  /** As `exist`; other transactions that create users wait until this one ends. */
  async lockAndExist(): Promise<boolean> {
    await this.queries.lockCreation();
    return this.exist();
  }

  /** Records that the user uses Slipway now. */
  recordSeen(id: string): Promise<void> {
    return this.queries.recordSeen(id);
  }
}
