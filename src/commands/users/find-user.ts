import type { INestApplicationContext } from '@nestjs/common';
import type { User } from '../../accounts/users/user.entity.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { Config } from '../../config/config.js';
import { UsageError } from '../command.js';
import { lineOf } from '../installation.js';

/** @throws UsageError when it is missing */
export function requireEmail(email: string | undefined): string {
  if (email === undefined) throw new UsageError('--email is required.');
  return email;
}

/** @throws Error when there is no such user */
export async function findUser(app: INestApplicationContext, email: string): Promise<User> {
  const user = await app.get(UsersService, { strict: false }).findByEmail(email.trim().toLowerCase());
  if (user === null) throw noSuchUser(app.get(Config, { strict: false }), email);
  return user;
}

export function noSuchUser(config: Config, email: string): Error {
  return new Error(
    `There is no user ${email}. To create the user, run: ${lineOf(config, 'user create', '--email', email)}`,
  );
}
