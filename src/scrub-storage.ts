import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { createLogger, PinoLoggerService } from './common/logging/logger.js';
import { loadConfig } from './config/load-config.js';
import { startEmbeddedDefaults } from './start/embedded-defaults.js';
import { ScrubberService } from './storage/blobs/scrubber.service.js';

/** `npm run storage:scrub`: reads every stored file and compares it with its checksum. See docs/operations.md. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  config.log.level = 'fatal';
  config.http.shutdownDelaySeconds = 0;
  config.storage.scrubIntervalDays = 0;
  const logger = createLogger(config.log);
  const { stop: stopEmbedded } = await startEmbeddedDefaults(config, logger);
  try {
    const context = await NestFactory.createApplicationContext(AppModule.with(config), {
      logger: new PinoLoggerService(logger),
      abortOnError: false,
    });
    try {
      const damaged = await scrub(context.get(ScrubberService, { strict: false }));
      if (damaged > 0) process.exitCode = 1;
    } finally {
      await context.close();
    }
  } finally {
    await stopEmbedded();
  }
}

/** @returns how many files are damaged */
async function scrub(scrubber: ScrubberService): Promise<number> {
  let files = 0;
  let bytes = 0;
  let damaged = 0;
  for await (const { id, sha256, sizeInBytes, problem } of scrubber.scrubAll()) {
    files++;
    bytes += sizeInBytes;
    if (problem === null) continue;
    damaged++;
    console.log(`damaged file ${id} (${problem}), SHA-256 ${sha256}`);
  }
  console.log(`Verified ${files} files of ${bytes} bytes: ${damaged} are damaged.`);
  return damaged;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
