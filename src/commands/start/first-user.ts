import { type INestApplication, Logger } from '@nestjs/common';
import { TokensService } from '../../accounts/tokens/tokens.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import type { Config } from '../../config/config.js';
import { OrganizationsService } from '../../organizations/organizations/organizations.service.js';
import { lineOf } from '../installation.js';
import { transaction } from '../../database/transactions/transaction.js';

const logger = new Logger('FirstUser');

/**
 * Creates the first user, with an organization and an API token, from `BOOTSTRAP_EMAIL` and `BOOTSTRAP_TOKEN`, unless
 * the database has a user. `loadConfig` has checked both.
 */
export async function createFirstUser(app: INestApplication, config: Config): Promise<void> {
  const { bootstrapEmail: email, bootstrapToken: token } = config.security;
  if (token !== null && email !== null) {
    if ((await createUnlessThereIsOne(app, email, token)) && config.signIn.local) {
      const line = lineOf(config, 'password', '--email', email);
      logger.log(`Created the first user. To set a password, run: ${line}`);
    }
  } else if (!(await app.get(UsersService, { strict: false }).exist())) {
    logger.warn('There is no user yet: set BOOTSTRAP_EMAIL and BOOTSTRAP_TOKEN to create the first one');
  }
}

/** @returns whether it was created */
async function createUnlessThereIsOne(app: INestApplication, email: string, token: string): Promise<boolean> {
  const users = app.get(UsersService, { strict: false });
  const tokens = app.get(TokensService, { strict: false });
  const organizations = app.get(OrganizationsService, { strict: false });
  return transaction(async () => {
    // Replicas that start together must not each create one.
    if (await users.lockAndExist()) return false;
    const user = await users.create(email);
    await organizations.createFor(user.id, 'My organization', null);
    await tokens.createFromSecret(user.id, 'First token', token);
    return true;
  });
}
