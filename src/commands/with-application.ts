import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createLogger, PinoLoggerService } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { startEmbeddedDefaults } from './embedded-defaults.js';

/** Runs `work` with the configured database. Starts and stops the embedded database if it is the configured one. */
export async function withDatabase<R>(work: (config: Config) => Promise<R>): Promise<R> {
  const config = loadConfig(process.env);
  config.http.shutdownDelaySeconds = 0;
  // Commands print their own results.
  config.log.level = 'warn';
  const embedded = await startEmbeddedDefaults(config, createLogger(config.log));
  try {
    return await work(config);
  } finally {
    await embedded.stop();
  }
}

/**
 * Runs `work` with the whole application, which does not listen and runs no jobs.
 *
 * @param level lowest level that is logged: `fatal` when the command prints itself what the application would log
 */
export function withApplication<R>(
  work: (context: INestApplicationContext) => Promise<R>,
  level = 'warn',
): Promise<R> {
  return withDatabase(async (config) => {
    config.log.level = level;
    // Commands that need only some modules do not load all.
    const { AppModule } = await import('../app.module.js');
    return withContext(config, AppModule.with(config), work);
  });
}

/** Like `withApplication`, but with some modules only, which start faster. */
export function withModules<R>(
  imports: (config: Config) => NonNullable<ModuleMetadata['imports']>,
  work: (context: INestApplicationContext) => Promise<R>,
): Promise<R> {
  class CommandModule {}
  return withDatabase((config) =>
    withContext(config, { module: CommandModule, imports: imports(config) }, work),
  );
}

async function withContext<R>(
  config: Config,
  module: Parameters<typeof NestFactory.createApplicationContext>[0],
  work: (context: INestApplicationContext) => Promise<R>,
): Promise<R> {
  const logger = new PinoLoggerService(createLogger(config.log));
  const context = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}
