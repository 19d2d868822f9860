import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { type Config, decryptionKeysOf } from '../../config/config.js';
import { isKeyOfDatabase } from '../../database/encryption-check.js';
import { compareSchema } from '../../database/schema/migrate.js';
import { sealedColumns } from '../../sealed-columns.js';
import { dataSourceOptions } from '../../database/schema/data-source-options.js';

/** How often to connect, and the milliseconds in between: a database that starts together with Slipway is slower. */
const ATTEMPTS = 4;
const PAUSE = 1000;

/**
 * Checks that this program can work with the database: that it is there, its schema, and the encryption key.
 *
 * @param keyName what the key was read from: `ENCRYPTION_KEY`, or the path of a file
 * @throws Error that says what to do
 */
export async function checkDatabase(config: Config, keyName: string, logger: Logger): Promise<void> {
  const database = await connect(config.database.url ?? '');
  try {
    const { pending, unknown } = await compareSchema(database);
    if (pending.length > 0) {
      throw new Error(
        `The database at DATABASE_URL is not migrated (missing migrations: ${pending.length}): ` +
          'run "slipway migrate", in a checkout "npm run slipway -- migrate".',
      );
    }
    if (unknown.length > 0) {
      // Not an error: during an update, servers of the former version run on the new schema.
      logger.warn(
        `The database is newer than this program (its newest migration is ${unknown.at(-1)}): ` +
          'run the version that migrated it, unless you are updating.',
      );
    }
    if (!(await isKeyOfDatabase(database, new SecretBox(decryptionKeysOf(config)), sealedColumns))) {
      throw new Error(
        `${keyName} is not the key that this database was started with: restore that key, ` +
          'or add it to ENCRYPTION_KEYS_OLD if you are changing keys.',
      );
    }
  } finally {
    await database.destroy();
  }
}

async function connect(url: string): Promise<DataSource> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await new DataSource(dataSourceOptions(url, 1)).initialize();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (attempt === ATTEMPTS || !isTemporary(code)) {
        // Several addresses of one host fail with an error without a message.
        throw new Error(`Cannot connect to the database at DATABASE_URL: ${message || code || 'unknown'}.`, {
          cause: error,
        });
      }
      await setTimeout(PAUSE);
    }
  }
}

/** Whether the server may only be starting: nothing listens yet, or it reports that it is starting. */
function isTemporary(code: string | undefined): boolean {
  return code === 'ECONNREFUSED' || code === 'EAI_AGAIN' || code === 'ENOTFOUND' || code === '57P03';
}
