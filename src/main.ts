import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { createLogger } from './common/logging/logger.js';
import type { Config } from './config/config.js';
import { loadConfig } from './config/load-config.js';
import { createApp } from './create-app.js';
import { Notifications } from './database/notifications.js';
import { QueueService } from './queue/queue.service.js';
import { announcement } from './start/announce.js';
import { startEmbeddedDefaults } from './start/embedded-defaults.js';
import { createFirstUser } from './start/first-user.js';
import { putDeviceRoadInFront } from './start/device-road.js';

/** Starts the API; with no configuration at all together with its own database. */
async function main(): Promise<void> {
  const stopSignal = nextStopSignal();
  const config = loadConfig(process.env);
  const logger = createLogger(config.log);
  const embedded = config.database.url === null;
  const stopEmbedded = await startEmbeddedDefaults(config, logger);
  const app = await start(config, logger, embedded).catch(async (error: unknown) => {
    await stopEmbedded();
    throw error;
  });
  const signal = await stopSignal;
  logger.info({ signal }, 'Shutting down');
  await app.close();
  await stopEmbedded();
  logger.info('Stopped');
  process.exit(0);
}

/** Builds the application and listens. When that fails, nothing of it goes on. */
async function start(config: Config, logger: Logger, embedded: boolean): Promise<NestExpressApplication> {
  const app = await createApp(config, logger);
  try {
    await app.init();
    const token = await createFirstUser(app, config, embedded);
    await app.get(QueueService).start();
    await app.get(Notifications).start();
    putDeviceRoadInFront(app);
    await app.listen(config.http.port, config.http.host);
    const { port } = app.getHttpServer().address() as AddressInfo;
    logger.info({ host: config.http.host, port }, 'Listening');
    if (token !== null)
      console.log(announcement(config, config.http.publicUrl ?? `http://localhost:${port}`, token));
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

/**
 * Resolves at the first signal to stop. It is called before anything is started, so that a signal during the start
 * does not leave the embedded database running; further signals change nothing, because a terminal and npm may both
 * send one.
 */
function nextStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
