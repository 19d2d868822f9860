import cluster from 'node:cluster';
import type { Server, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { BackgroundTasks } from '../../common/background/background-tasks.js';
import { orAfter } from '../../common/background/or-after.js';
import { unlessAborted } from '../../common/background/unless-aborted.js';
import { createLogger } from '../../common/logging/logger.js';
import { exitWith, onStopSignal } from '../../common/process/stop-signals.js';
import type { Config } from '../../config/config.js';
import { loadConfig } from '../../config/load-config.js';
import { VERSION } from '../../config/version.js';
import { command } from '../command.js';
import { createApp } from '../../create-app.js';
import { type EmbeddedDefaults, startEmbeddedDefaults } from '../embedded-defaults.js';
import { Shutdown } from '../../health/shutdown.js';
import { proxyTrustOf } from '../../common/request-origin/request-origin.js';
import { UpdateCheckFastPath } from '../../devices/update-check/update-check-fast-path.js';
import type { HttpConfig } from '../../config/groups/http-config.js';
import { banner, bannerTokenOf, signInLinkFor } from './banner.js';
import type { BuiltInRunner } from './built-in-runner.js';
import { checkDatabase } from './check-database.js';
import { createFirstUser } from './first-user.js';
import { assertPortsFree, listenError } from './ports.js';
import { isSupervisor, startWorkers } from './workers.js';

/** Milliseconds between the end of an idle connection and that of one that has never had a request. */
const HEADERS_LATER = 5000;

/** Signals within so many milliseconds are one. */
const SAME_SIGNAL = 2000;
/** How long a process that ends immediately waits for the embedded database, in milliseconds. */
const DATABASE_STOPS_WITHIN = 5000;

/** Stops the embedded database, once there is one. */
let stopDatabase = (): Promise<void> => Promise.resolve();

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
  const stopping = new AbortController();
  const stopSignal = nextStopSignal();
  void stopSignal.then((signal) => stopping.abort(signal));
  const config = loadConfig(process.env);
  const logger = createLogger(config.log);
  const running = await startAll(config, logger, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
    return null;
  });
  if (running !== null) {
    const runner = cluster.isPrimary && config.runners.builtIn ? await startRunner(config, logger) : null;
    const { hasBanner, token } = running;
    if (hasBanner) {
      const link = await signInLinkFor(config, token);
      console.log(banner(config, await bannerTokenOf(config, token), link, runner?.status));
    }
    const signal = await Promise.race([stopSignal, running.failed]);
    logger.info({ signal }, 'Shutting down');
    await runner?.stop();
    await running.stop();
  }
  logger.info('Stopped');
  process.exit(0);
}

/** Imports the runner only now: most servers have none. */
async function startRunner(config: Config, logger: Logger): Promise<BuiltInRunner> {
  const { startBuiltInRunner } = await import('./built-in-runner.js');
  return startBuiltInRunner(config, logger);
}

/** All that runs in this process, and the processes that belong to it. */
interface Running extends Pick<EmbeddedDefaults, 'failed' | 'hasBanner' | 'token'> {
  /** Finishes the requests and stops everything. */
  stop(): Promise<void>;
}

/** @throws the reason of the signal, and after any failure everything is stopped again */
async function startAll(config: Config, logger: Logger, stopping: AbortSignal): Promise<Running> {
  // Workers are started by a process that has checked this.
  if (cluster.isPrimary) await assertPortsFree(config.http);
  const embedded = await startEmbeddedDefaults(config, logger, stopping);
  stopDatabase = () => embedded.stop();
  try {
    if (cluster.isPrimary) await unlessAborted(stopping, checkDatabase(config, embedded.keyName, logger));
    const starting = isSupervisor(config)
      ? startWorkers(config, logger, stopping)
      : unlessAborted(stopping, serve(config, logger));
    const stop = await Promise.race([starting, embedded.failed]);
    const { failed, hasBanner, token } = embedded;
    return { failed, hasBanner, token, stop: () => stop().then(() => embedded.stop()) };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
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
    await app.listen(config.http.port, config.http.host).catch((error: unknown) => {
      throw listenError(error, config.http.host, config.http.port);
    });
    const { port } = server.address() as AddressInfo;
    // With PORT=0, the system chooses a free port.
    config.http.port = port;
    logger.info({ version: VERSION, host: config.http.host, port }, 'Listening');
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
 * the embedded database running. A later one ends the process immediately, unless it comes within two seconds: a
 * terminal and npm may both send one.
 */
function nextStopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let firstAt = Infinity;
  onStopSignal((signal) => {
    if (firstAt === Infinity) {
      firstAt = performance.now();
      resolve(signal);
      // The supervisor repeats the signal to its workers, and kills them itself.
    } else if (cluster.isPrimary && performance.now() - firstAt >= SAME_SIGNAL) void endAtOnce(signal);
  });
  return promise;
}

/** Waits for no request, and writes nothing that waits in memory. */
async function endAtOnce(signal: NodeJS.Signals): Promise<void> {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
  await orAfter(stopDatabase(), DATABASE_STOPS_WITHIN, undefined).catch(() => undefined);
  exitWith(signal);
}

/**
 * Lets load balancers end the connections that they keep. If Slipway ended one first, a request could be on its way and
 * fail, and balancers do not repeat a POST.
 */
export function keepConnections(server: Server, { keepAliveSeconds }: HttpConfig): void {
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  // Also applies to connections that a balancer opens in advance.
  server.headersTimeout = server.keepAliveTimeout + HEADERS_LATER;
  // Node uses the smaller one of the two for such connections.
  server.requestTimeout = Math.max(server.requestTimeout, server.headersTimeout);
}

/**
 * Puts the fast path of update checks in front of Express, which gets every request that the fast path leaves. The
 * shutdown must know every request but those that the fast path has answered immediately.
 */
export function installUpdateCheckFastPath(app: NestExpressApplication): void {
  const server = app.getHttpServer() as Server;
  const fastPath = app.get(UpdateCheckFastPath, { strict: false });
  const shutdown = app.get(Shutdown, { strict: false });
  const trusts = proxyTrustOf({ app: app.getHttpAdapter().getInstance() });
  const express = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (shutdown.hasBegun) shutdown.track(response);
    const isAnswered = fastPath.handle(request, response, trusts);
    if (isAnswered === true) return;
    if (!shutdown.hasBegun) shutdown.track(response);
    if (isAnswered === false) passOn(request, response);
    else void isAnswered.then((isAnsweredNow) => isAnsweredNow || passOn(request, response));
  });

  function passOn(request: IncomingMessage, response: ServerResponse): void {
    for (const listener of express) listener(request, response as never);
  }
}
