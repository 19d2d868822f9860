import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { BackgroundTasks } from './common/background/background-tasks.js';
import { createLogger } from './common/logging/logger.js';
import type { Config } from './config/config.js';
import { loadConfig } from './config/load-config.js';
import { createApp } from './create-app.js';
import { announcement } from './start/banner.js';
import { startEmbeddedDefaults } from './start/embedded-defaults.js';
import { createFirstUser } from './start/first-user.js';
import { isSupervisor, startWorkers } from './start/workers.js';
import { installUpdateCheckFastPath } from './start/install-fast-path.js';

/** Starts the API; with no configuration at all together with its own database. */
async function main(): Promise<void> {
  const stopSignal = nextStopSignal();
  const config = loadConfig(process.env);
  const logger = createLogger(config.log);
  const embedded = await startEmbeddedDefaults(config, logger);
  const serving = isSupervisor(config) ? startWorkers(config, logger) : serve(config, logger);
  const stop = await serving.catch(async (error: unknown) => {
    await embedded.stop();
    throw error;
  });
  if (embedded.token !== null) console.log(announcement(config, embedded.token));
  const signal = await stopSignal;
  logger.info({ signal }, 'Shutting down');
  await stop();
  await embedded.stop();
  logger.info('Stopped');
  process.exit(0);
}

/**
 * Builds the application and listens. When that fails, nothing of it goes on.
 *
 * @returns finishes what was begun, and ends
 */
async function serve(config: Config, logger: Logger): Promise<() => Promise<void>> {
  const app = await createApp(config, logger);
  try {
    await app.init();
    await createFirstUser(app, config);
    await app.get(BackgroundTasks).start();
    installUpdateCheckFastPath(app);
    await app.listen(config.http.port, config.http.host);
    const { port } = app.getHttpServer().address() as AddressInfo;
    // Whoever asked for any free port learns here which it is.
    config.http.port = port;
    logger.info({ host: config.http.host, port }, 'Listening');
    return () => app.close();
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
