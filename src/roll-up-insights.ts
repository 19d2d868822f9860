import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { createLogger, PinoLoggerService } from './common/logging/logger.js';
import { loadConfig } from './config/load-config.js';
import { RollUpService } from './live-updates/insights/roll-up.service.js';
import { startEmbeddedDefaults } from './start/embedded-defaults.js';

/** `npm run insights:rollup`: counts now what the server would count within the hour. See docs/insights.md. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  config.log.level = 'warn';
  config.http.shutdownDelaySeconds = 0;
  const logger = createLogger(config.log);
  const { stop: stopEmbedded } = await startEmbeddedDefaults(config, logger);
  try {
    const context = await NestFactory.createApplicationContext(AppModule.with(config), {
      logger: new PinoLoggerService(logger),
      abortOnError: false,
    });
    try {
      const days = await context.get(RollUpService, { strict: false }).run();
      console.log(`Counted ${days} days of apps.`);
    } finally {
      await context.close();
    }
  } finally {
    await stopEmbedded();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
