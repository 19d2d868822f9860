import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { createLogger } from './common/logging/logger.js';
import { SecretBox } from './common/secrets/secret-box.js';
import { SecretsModule } from './common/secrets/secrets.module.js';
import { ConfigModule } from './config/config.module.js';
import { loadConfig } from './config/load-config.js';
import { DatabaseModule } from './database/database.module.js';
import { reseal } from './database/reseal.js';
import { sealedColumns } from './database/sealed-columns.js';
import { startEmbeddedDefaults } from './start/embedded-defaults.js';

/** Only the database and the keys: nothing listens, and nothing runs in the background. */
@Module({})
class ReencryptSecretsModule {}

/** `npm run secrets:reencrypt`: encrypts every secret with the current `ENCRYPTION_KEY`. See docs/operations.md. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const { stop: stopEmbedded } = await startEmbeddedDefaults(
    config,
    createLogger({ level: 'warn', pretty: false }),
  );
  try {
    const imports = [ConfigModule.with(config), SecretsModule, DatabaseModule];
    const app = await NestFactory.createApplicationContext(
      { module: ReencryptSecretsModule, imports },
      { logger: ['error'], abortOnError: false },
    );
    try {
      await reencrypt(app.get(DataSource), app.get(SecretBox));
    } finally {
      await app.close();
    }
  } finally {
    await stopEmbedded();
  }
}

/** Fails when secrets remain that no key opens: the older keys are still needed, or one is missing. */
async function reencrypt(database: DataSource, box: SecretBox): Promise<void> {
  let unreadable = 0;
  for (const column of sealedColumns) {
    const result = await reseal(database, box, column);
    unreadable += result.unreadable.length;
    console.log(`${column.table}: ${result.resealed} encrypted with the current key.`);
    for (const id of result.unreadable) console.error(`${column.table}: no key decrypts ${id}.`);
  }
  if (unreadable === 0) {
    console.log('Every secret is encrypted with the current key.');
  } else {
    throw new Error(`${unreadable} secrets are not: add the keys that they need to ENCRYPTION_KEYS_OLD.`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
