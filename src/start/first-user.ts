import { join } from 'node:path';
import { type INestApplication, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TokensService } from '../accounts/tokens/tokens.service.js';
import { UsersService } from '../accounts/users/users.service.js';
import { generateApiToken, isApiToken } from '../common/access/api-token.js';
import type { Config } from '../config/config.js';
import { ConfigError } from '../config/load-config.js';
import { OrganizationsService } from '../organizations/organizations/organizations.service.js';
import { keepSecret } from './embedded-defaults.js';

const logger = new Logger('FirstUser');

const LOCAL_EMAIL = 'admin@slipway.local';

/**
 * Creates the first user, with an organization and an API token, in a database that has no user yet: from
 * `BOOTSTRAP_EMAIL` and `BOOTSTRAP_TOKEN`, or for the embedded default with a token that is kept in `DATA_DIR`.
 *
 * @param embedded whether this is the embedded default
 * @throws ConfigError when only one of the two is set, or the checksum of the token is wrong
 * @returns the token of the embedded default, to be shown; `null` otherwise
 */
export async function createFirstUser(
  app: INestApplication,
  config: Config,
  embedded: boolean,
): Promise<string | null> {
  const { bootstrapEmail, bootstrapToken } = config.security;
  if (bootstrapToken !== null && !isApiToken(bootstrapToken)) {
    throw new ConfigError(['BOOTSTRAP_TOKEN has a wrong checksum: it was not copied completely.']);
  }
  const localToken =
    embedded && bootstrapToken === null
      ? await keepSecret(join(config.storage.dataDir, 'token'), generateApiToken)
      : null;
  const token = bootstrapToken ?? localToken;
  const email = bootstrapEmail ?? (embedded ? LOCAL_EMAIL : null);
  if (token !== null && email !== null) {
    await createUnlessThereIsOne(app, email, token);
  } else if (token !== email) {
    throw new ConfigError(['BOOTSTRAP_EMAIL and BOOTSTRAP_TOKEN belong together: set both.']);
  } else if (!(await app.get(UsersService, { strict: false }).exist(app.get(DataSource).manager))) {
    logger.warn('There is no user yet: set BOOTSTRAP_EMAIL and BOOTSTRAP_TOKEN to create the first one');
  }
  return localToken;
}

async function createUnlessThereIsOne(app: INestApplication, email: string, token: string): Promise<void> {
  const users = app.get(UsersService, { strict: false });
  const tokens = app.get(TokensService, { strict: false });
  const organizations = app.get(OrganizationsService, { strict: false });
  await app.get(DataSource).transaction(async (tx) => {
    // Replicas that start together must not each create one.
    await tx.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    if (await users.exist(tx)) return;
    const user = await users.create(tx, email);
    await organizations.createIn(tx, user.id, 'My organization');
    await tokens.createIn(tx, user.id, 'First token', token);
  });
}
