import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { BackgroundTasks } from '../../common/background/background-tasks.js';
import { createLogger } from '../../common/logging/logger.js';
import type { Config } from '../../config/config.js';
import { loadConfig } from '../../config/load-config.js';
import { command } from '../command.js';
import { createApp } from '../../create-app.js';
import { banner, signInLinkFor } from './banner.js';
import { startEmbeddedDefaults } from '../embedded-defaults.js';
import { createFirstUser } from './first-user.js';
import { Shutdown } from '../../health/shutdown.js';
import { isSupervisor, startWorkers } from './workers.js';
import { keepConnections } from './keep-connections.js';
import { installUpdateCheckFastPath } from './install-fast-path.js';

/** `slipway start`: starts the API, without `DATABASE_URL` together with an embedded database. */
export const start = command({
  options: {},
  details: 'docs/configuration.md lists the environment variables.',
  run: () =>
    main().catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      // Connections or timers of a half-started server must not keep the process running.
      process.exit(1);
    }),
});

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
  if (embedded.token !== null) console.log(banner(config, embedded.token, await signInLinkFor(config)));
  const signal = await stopSignal;
  logger.info({ signal }, 'Shutting down');
  await stop();
  await embedded.stop();
  logger.info('Stopped');
  process.exit(0);
}

/**
 * Builds the application and listens. On failure it closes everything again.
 *
 * @returns a function that finishes the requests and closes the application
 */
async function serve(config: Config, logger: Logger): Promise<() => Promise<void>> {
  const app = await createApp(config, logger);
  try {
    await app.init();
    await createFirstUser(app, config);
    await app.get(BackgroundTasks).start();
    installUpdateCheckFastPath(app);
    const server = app.getHttpServer() as Server;
    keepConnections(server, config.http);
    await app.listen(config.http.port, config.http.host);
    const { port } = server.address() as AddressInfo;
    // With PORT=0, the system chooses a free port.
    config.http.port = port;
    logger.info({ host: config.http.host, port }, 'Listening');
    return async () => {
      await app.get(Shutdown, { strict: false }).run(server);
      await app.close();
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/**
 * Resolves at the first signal to stop. Called before anything starts, so that a signal during the start does not leave
 * the embedded database running. Further signals have no effect: a terminal and npm may both send one.
 */
function nextStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
  });
}
