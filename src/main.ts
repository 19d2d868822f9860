import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createLogger } from './common/logging/logger.js';
import { loadConfig } from './config/load-config.js';
import { createApp } from './create-app.js';
import { announcement } from './start/announce.js';
import { startEmbeddedDefaults } from './start/embedded-defaults.js';
import { createFirstUser } from './start/first-user.js';

/** Starts the API; with no configuration at all together with its own database. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const logger = createLogger(config.log);
  const embedded = config.database.url === null;
  const stopEmbedded = await startEmbeddedDefaults(config, logger);
  let app: NestExpressApplication | undefined;
  try {
    app = await createApp(config, logger);
    await app.init();
    const token = await createFirstUser(app, config, embedded);
    await app.listen(config.http.port, config.http.host);
    const { port } = app.getHttpServer().address() as AddressInfo;
    logger.info({ host: config.http.host, port }, 'Listening');
    if (token !== null)
      console.log(announcement(config, config.http.publicUrl ?? `http://localhost:${port}`, token));
  } catch (error) {
    await app?.close();
    await stopEmbedded();
    throw error;
  }

  const running = app;
  const shutDown = async (signal: NodeJS.Signals): Promise<void> => {
    logger.info({ signal }, 'Shutting down');
    await running.close();
    await stopEmbedded();
    logger.info('Stopped');
    process.exit(0);
  };
  process.once('SIGTERM', (signal) => void shutDown(signal));
  process.once('SIGINT', (signal) => void shutDown(signal));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
