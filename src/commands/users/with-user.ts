import type { INestApplicationContext } from '@nestjs/common';
import type { User } from '../../accounts/users/user.entity.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { Config } from '../../config/config.js';
import { UsageError } from '../command.js';
import { lineOf } from '../installation.js';
import { withApplication } from '../with-application.js';

/**
 * Runs `work` with the whole application and a user of it.
 *
 * @param email its option
 * @throws UsageError when it is missing
 * @throws Error when there is no such user
 */
export async function withUser(
  email: string | undefined,
  work: (app: INestApplicationContext, user: User) => Promise<void>,
): Promise<void> {
  if (email === undefined) throw new UsageError('--email is required.');
  await withApplication(async (app) => {
    const user = await app.get(UsersService, { strict: false }).findByEmail(email.trim().toLowerCase());
    if (user === null) throw noSuchUser(app.get(Config, { strict: false }), email);
    await work(app, user);
  });
}

export function noSuchUser(config: Config, email: string): Error {
  return new Error(
    `There is no user ${email}. To create the user, run: ${lineOf(config, 'user create', '--email', email)}`,
  );
}
