import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createLogger, PinoLoggerService } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { startEmbeddedDefaults } from './embedded-defaults.js';

/**
 * Runs a command of the operator. A failure is told in one line, and makes the exit code 1.
 *
 * @param usage told when the arguments cannot be understood
 */
export function runCommand(command: () => Promise<void>, usage?: string): void {
  command().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    const { code } = error as { code?: unknown };
    if (usage !== undefined && String(code).startsWith('ERR_PARSE_ARGS')) console.error(usage);
    process.exitCode = 1;
  });
}

/** Does something with the database of the configuration, which is started for it when it is the embedded one. */
export async function withDatabase<R>(work: (config: Config) => Promise<R>): Promise<R> {
  const config = loadConfig(process.env);
  config.http.shutdownDelaySeconds = 0;
  // A command tells what it does by itself.
  config.log.level = 'warn';
  const embedded = await startEmbeddedDefaults(config, createLogger(config.log));
  try {
    return await work(config);
  } finally {
    await embedded.stop();
  }
}

/**
 * Does something with the whole application, in which nothing listens and no job is done.
 *
 * @param level least severe that is logged: `fatal` when the command itself tells what else is logged
 */
export function withApplication<R>(
  work: (context: INestApplicationContext) => Promise<R>,
  level = 'warn',
): Promise<R> {
  return withDatabase(async (config) => {
    config.log.level = level;
    // Commands that need less do not load it.
    const { AppModule } = await import('../app.module.js');
    return withContext(config, AppModule.with(config), work);
  });
}

/** As `withApplication`, with some modules only: they start faster. */
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
