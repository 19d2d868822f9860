import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { generateApiToken } from '../common/access/api-token.js';
import type { Config } from '../config/config.js';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { migrate } from '../database/migrate.js';

const LOCAL_EMAIL = 'admin@slipway.local';

/** What was started, and made, because nothing was configured. */
export interface EmbeddedDefaults {
  /** Stops what was started. */
  stop(): Promise<void>;
  /** The API token of the first user, to be shown; `null`: it was configured. */
  readonly token: string | null;
}

/**
 * Without `DATABASE_URL`: starts the embedded database, brings its schema up to date, keeps an encryption key and the
 * token of the first user in `DATA_DIR`, and completes the configuration with what came of it. With `DATABASE_URL` it
 * does nothing: migrations are a step of their own there.
 */
export async function startEmbeddedDefaults(config: Config, logger: Logger): Promise<EmbeddedDefaults> {
  if (config.database.url !== null) return { stop: () => Promise.resolve(), token: null };
  const { dataDir } = config.storage;
  // Others may pass through, for the operating-system user that PostgreSQL runs as, but see nothing: what is kept here
  // is readable by its owner only.
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const database = await startEmbeddedPostgres({ dataDir, log: (line) => logger.info(line) });
  const migrated = await migrate(database.url);
  if (migrated.length > 0) logger.info({ migrated }, 'The schema was brought up to date');
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
 * A secret in a file that only its owner can read; made when there is none.
 *
 * @returns the secret, whoever made it first
 */
async function keepSecret(path: string, make: () => string): Promise<string> {
  try {
    await writeFile(path, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}
