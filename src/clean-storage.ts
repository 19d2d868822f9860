import { parseArgs } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { createLogger, PinoLoggerService } from './common/logging/logger.js';
import type { Config } from './config/config.js';
import { loadConfig } from './config/load-config.js';
import { type Leftovers, StorageCleaningService } from './live-updates/bundles/storage-cleaning.service.js';
import { startEmbeddedDefaults } from './start/embedded-defaults.js';

const HOUR = 3_600_000;
const USAGE = 'Usage: npm run storage:clean -- [--delete] [--older-than-hours N]';

/** `npm run storage:clean`: lists, or with `--delete` removes, what was left in storage. See docs/operations.md. */
async function main(): Promise<void> {
  const { remove, hours } = readArguments();
  const config = loadConfig(process.env);
  config.log.level = 'warn';
  config.http.shutdownDelaySeconds = 0;
  config.storage.scrubIntervalDays = 0;
  const logger = createLogger(config.log);
  const { stop: stopEmbedded } = await startEmbeddedDefaults(config, logger);
  try {
    const olderThan = new Date(Date.now() - hours * HOUR);
    const leftovers = await clean(config, new PinoLoggerService(logger), olderThan, remove);
    report(leftovers, remove, hours);
  } finally {
    await stopEmbedded();
  }
}

function readArguments(): { remove: boolean; hours: number } {
  const { values } = parseArgs({
    options: {
      delete: { type: 'boolean', default: false },
      'older-than-hours': { type: 'string', default: '24' },
    },
  });
  const hours = values['older-than-hours'];
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(hours)) throw new Error('--older-than-hours must be a number of hours.');
  return { remove: values.delete, hours: Number(hours) };
}

async function clean(
  config: Config,
  logger: PinoLoggerService,
  olderThan: Date,
  remove: boolean,
): Promise<Leftovers> {
  const context = await NestFactory.createApplicationContext(AppModule.with(config), {
    logger,
    abortOnError: false,
  });
  try {
    const cleaning = context.get(StorageCleaningService, { strict: false });
    return await (remove ? cleaning.remove(olderThan) : cleaning.find(olderThan));
  } finally {
    await context.close();
  }
}

function report(
  { abandonedWrites, staleUploads, orphans }: Leftovers,
  removed: boolean,
  hours: number,
): void {
  for (const { id, parts } of staleUploads) console.log(`unfinished upload ${id} (${parts} parts)`);
  for (const { key, sizeInBytes } of orphans) console.log(`orphan ${key} (${sizeInBytes} bytes)`);
  const found = `${abandonedWrites} abandoned writes, ${staleUploads.length} unfinished uploads and ${orphans.length} orphans`;
  console.log(`${removed ? 'Deleted' : 'Found'} ${found} older than ${hours} hours.`);
  if (!removed && abandonedWrites + staleUploads.length + orphans.length > 0) {
    console.log('Run it with --delete to delete them: npm run storage:clean -- --delete');
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  if ((error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) console.error(USAGE);
  process.exitCode = 1;
});
