import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { tokenFileIn } from '../accounts/tokens/stored-token.js';
import { generateApiToken, isApiToken } from '../common/access/api-token.js';
import { unlessAborted } from '../common/background/unless-aborted.js';
import type { Config } from '../config/config.js';
import { withConnection } from '../database/connections/with-connection.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { makeDataDir } from '../storage/data-dir.js';
import { migrate } from '../database/schema/migrate.js';
import { keepSecret } from './keep-secret.js';

const LOCAL_EMAIL = 'admin@slipway.local';

/** The parts that replace missing configuration. */
export interface EmbeddedDefaults {
  /** Stops the embedded database. */
  stop(): Promise<void>;
  /** Rejects when the embedded database has died and cannot be started again. */
  readonly failed: Promise<never>;
  /** What the encryption key was read from: `ENCRYPTION_KEY`, or the path of a file. */
  readonly keyName: string;
  /** Whether the banner is printed: neither `BOOTSTRAP_TOKEN` nor `DATABASE_URL` is set. */
  readonly hasBanner: boolean;
  /** The API token of the first user, for the banner; `null` when its file was removed. */
  readonly token: string | null;
}

/**
 * Without `DATABASE_URL`: starts and migrates the embedded database, keeps an encryption key and the token of the first
 * user in `DATA_DIR`, and adds all of them to the configuration. With `DATABASE_URL` it does nothing: migrations are a
 * separate step then.
 *
 * @param signal aborted when the process is asked to stop: then the database is stopped, too
 * @throws the reason of the signal; Error that names the folder or file that cannot be used
 */
export async function startEmbeddedDefaults(
  config: Config,
  logger: Logger,
  signal = new AbortController().signal,
): Promise<EmbeddedDefaults> {
  const failed = Promise.withResolvers<never>();
  // A command that is short enough does not wait for it.
  failed.promise.catch(() => undefined);
  if (config.database.url !== null) {
    const stop = (): Promise<void> => Promise.resolve();
    return { stop, failed: failed.promise, keyName: 'ENCRYPTION_KEY', hasBanner: false, token: null };
  }
  const { dataDir } = config.storage;
  await makeDataDir(dataDir);
  const database = await startEmbeddedPostgres({
    dataDir,
    log: (line) => logger.info(line),
    watcher: {
      warn: (line) => logger.warn(line),
      failed: ({ message }) =>
        failed.reject(new Error(`The embedded PostgreSQL has died and cannot be started again: ${message}`)),
    },
  });
  try {
    const prepared = await unlessAborted(signal, prepare(config, database, logger));
    return { stop: () => database.stop(), failed: failed.promise, ...prepared };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function prepare(
  config: Config,
  database: EmbeddedPostgres,
  logger: Logger,
): Promise<Pick<EmbeddedDefaults, 'keyName' | 'hasBanner' | 'token'>> {
  const migrated = await migrate(database.url);
  if (migrated.length > 0) logger.info(`Migrated the schema (${migrated.length} migrations)`);
  logger.debug({ migrated }, 'Migrations that ran');
  config.database.url = database.url;
  const { security } = config;
  const keyFile = join(config.storage.dataDir, 'encryption-key');
  const tokenFile = tokenFileIn(config.storage.dataDir);
  const keyName = security.encryptionKey === null ? keyFile : 'ENCRYPTION_KEY';
  security.encryptionKey ??= await keepSecret(keyFile, () => randomBytes(32).toString('base64'), {
    isValid: (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
    remedy: 'It must hold 44 characters of Base64: restore it from a backup.',
  });
  const isConfigured = security.bootstrapToken !== null;
  security.bootstrapToken ??= await keepToken(tokenFile, database.url, logger);
  security.bootstrapEmail =
    security.bootstrapToken === null ? null : (security.bootstrapEmail ?? LOCAL_EMAIL);
  return { keyName, hasBanner: !isConfigured, token: isConfigured ? null : security.bootstrapToken };
}

/**
 * The token of the first user, which exists from the first start on.
 *
 * @returns `null` when the file was removed later: another token in it would not be valid
 */
async function keepToken(path: string, databaseUrl: string, logger: Logger): Promise<string | null> {
  const make = (await hasUsers(databaseUrl)) ? undefined : generateApiToken;
  const token = await keepSecret(path, make, {
    isValid: isApiToken,
    remedy: 'Delete it, or restore it from a backup. The token itself stays valid.',
  });
  if (token === null) logger.warn(`There is no ${path}: sign in with a password, or use another token`);
  return token;
}

async function hasUsers(databaseUrl: string): Promise<boolean> {
  const { rowCount } = await withConnection(databaseUrl, (client) =>
    client.query('SELECT FROM users LIMIT 1'),
  );
  return rowCount === 1;
}
