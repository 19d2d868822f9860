import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { generateApiToken } from '../common/access/api-token.js';
import type { Config } from '../config/config.js';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { migrate } from '../database/schema/migrate.js';

const LOCAL_EMAIL = 'admin@slipway.local';

/** The parts that replace missing configuration. */
export interface EmbeddedDefaults {
  /** Stops the embedded database. */
  stop(): Promise<void>;
  /** The API token of the first user, to be printed; `null` if `BOOTSTRAP_TOKEN` or `DATABASE_URL` is set. */
  readonly token: string | null;
}

/**
 * Without `DATABASE_URL`: starts and migrates the embedded database, keeps an encryption key and the token of the first
 * user in `DATA_DIR`, and adds all of them to the configuration. With `DATABASE_URL` it does nothing: migrations are a
 * separate step then.
 */
export async function startEmbeddedDefaults(config: Config, logger: Logger): Promise<EmbeddedDefaults> {
  if (config.database.url !== null) return { stop: () => Promise.resolve(), token: null };
  const { dataDir } = config.storage;
  // Others may enter, because PostgreSQL may run as another operating-system user, but not list the folder. Only the
  // owner can read the secrets in it.
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const database = await startEmbeddedPostgres({ dataDir, log: (line) => logger.info(line) });
  const migrated = await migrate(database.url);
  if (migrated.length > 0) logger.info({ migrated }, 'Migrated the schema');
  config.database.url = database.url;
  const { security } = config;
  security.encryptionKey ??= await keepSecret(join(dataDir, 'encryption-key'), () =>
    randomBytes(32).toString('base64'),
  );
  security.bootstrapEmail ??= LOCAL_EMAIL;
  const isConfigured = security.bootstrapToken !== null;
  security.bootstrapToken ??= await keepSecret(join(dataDir, 'token'), generateApiToken);
  return { stop: () => database.stop(), token: isConfigured ? null : security.bootstrapToken };
}

/**
 * Reads a secret from a file, and creates the file, which only its owner can read, if there is none.
 *
 * @returns the secret; of processes that create it at the same time, that of the first
 */
async function keepSecret(path: string, make: () => string): Promise<string> {
  try {
    await writeFile(path, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}
