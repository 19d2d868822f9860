import { DataSource } from 'typeorm';
import { SecretBox } from '../common/secrets/secret-box.js';
import { SecretsModule } from '../common/secrets/secrets.module.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { entities } from '../entities.js';
import { reseal } from '../database/reseal.js';
import { sealedColumns } from '../sealed-columns.js';
import { command } from './command.js';
import { withModules } from './with-application.js';

/** `slipway secrets reencrypt`: encrypts every secret with the current `ENCRYPTION_KEY`. See docs/operations.md. */
export const secretsReencrypt = command({
  options: {},
  run: () =>
    withModules(
      (config) => [ConfigModule.with(config), SecretsModule, DatabaseModule.with(entities)],
      (app) => reencrypt(app.get(DataSource), app.get(SecretBox)),
    ),
});

/** @throws Error when no key opens some of the secrets */
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
