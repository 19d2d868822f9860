import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres.js';
import { migrate } from '../database/migrate.js';

/**
 * Without `DATABASE_URL`: starts the embedded database, brings its schema up to date and keeps an encryption key in
 * `DATA_DIR`, and completes the configuration with what came of it. With `DATABASE_URL` it does nothing: migrations
 * are a step of their own there.
 *
 * @returns stops what was started
 */
export async function startEmbeddedDefaults(config: Config, logger: Logger): Promise<() => Promise<void>> {
  if (config.database.url !== null) return async () => undefined;
  const { dataDir } = config.storage;
  // Others may pass through, for the operating-system user that PostgreSQL runs as, but see nothing: what is kept here
  // is readable by its owner only.
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const database = await startEmbeddedPostgres({ dataDir, log: (line) => logger.info(line) });
  const migrated = await migrate(database.url);
  if (migrated.length > 0) logger.info({ migrated }, 'The schema was brought up to date');
  config.database.url = database.url;
  config.security.encryptionKey ??= await keepSecret(join(dataDir, 'encryption-key'), () =>
    randomBytes(32).toString('base64'),
  );
  return () => database.stop();
}

/**
 * A secret in a file that only its owner can read; made when there is none.
 *
 * @returns the secret, whoever made it first
 */
export async function keepSecret(path: string, make: () => string): Promise<string> {
  try {
    await writeFile(path, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}
