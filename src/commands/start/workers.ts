import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import { orAfter } from '../../common/background/or-after.js';
import { unlessAborted } from '../../common/background/unless-aborted.js';
import { type Config, encryptionKeyOf } from '../../config/config.js';
import { longestStop } from '../../health/shutdown.js';
import { serveMetrics } from '../../metrics/metrics-server.js';

/** Milliseconds after which a new worker replaces one that ended. */
const REPLACED_AFTER = 1000;
/** Milliseconds after which a worker that has not ended gets the signal again. */
const SIGNALED_EVERY = 1000;

/** Whether this process only starts and watches others that serve: with `WORKERS` above 1, the first one does. */
export function isSupervisor(config: Config): boolean {
  return config.http.workers > 1 && cluster.isPrimary;
}

/**
 * Starts the processes that serve, on one port, and replaces those that end. Each has its own cache, buffers and
 * connections, like replicas.
 *
 * @param config complete, as `startEmbeddedDefaults` leaves it
 * @returns a function that stops them; each finishes its requests first
 * @param aborted ends the start: those that run are stopped
 * @throws Error when they cannot start; the reason of the signal
 */
export async function startWorkers(
  config: Config,
  logger: Logger,
  aborted: AbortSignal,
): Promise<() => Promise<void>> {
  const env = environmentOf(config);
  const workers = new Set<Worker>();
  let stopping = false;
  let closeMetrics: () => Promise<void> = () => Promise.resolve();
  const fork = (): Worker => {
    const worker = cluster.fork(env);
    workers.add(worker);
    return worker;
  };
  const stop = async (): Promise<void> => {
    stopping = true;
    await Promise.all([...workers].map((worker) => end(worker, longestStop(config.http))));
    await closeMetrics();
  };
  try {
    const listening = Array.from({ length: config.http.workers }, () => untilListening(fork()));
    const ports = await unlessAborted(aborted, Promise.all(listening));
    config.http.port = ports[0] ?? config.http.port;
    if (config.http.metricsPort !== 0) closeMetrics = await serveSums(config, logger);
  } catch (error) {
    await stop();
    throw error;
  }
  cluster.on('exit', (worker, code, signal) => {
    workers.delete(worker);
    if (stopping) return;
    logger.error({ worker: worker.process.pid, code, signal }, 'A worker has ended and is replaced');
    void setTimeout(REPLACED_AFTER).then(() => stopping || fork());
  });
  return stop;
}

/** @param limit milliseconds after which the worker is killed */
async function end(worker: Worker, limit: number): Promise<void> {
  if (worker.isDead()) return;
  const exited = once(worker, 'exit').then(() => true);
  const deadline = performance.now() + limit;
  do {
    // Only its first one counts in the worker.
    worker.process.kill(performance.now() < deadline ? 'SIGTERM' : 'SIGKILL');
  } while (!(await orAfter(exited, SIGNALED_EVERY, false)));
}

/** Serves the sums of the metrics of all workers. The counts of a worker are lost when it ends. */
function serveSums({ http }: Config, logger: Logger): Promise<() => Promise<void>> {
  const workers = new AggregatorRegistry();
  const failed = (err: unknown): void => logger.error({ err }, 'The metrics of the workers cannot be read');
  return serveMetrics(http, () => workers.clusterMetrics(), failed);
}

/** @returns the port @throws Error when the worker ends before it listens */
function untilListening(worker: Worker): Promise<number> {
  return new Promise((resolve, reject) => {
    worker.once('listening', ({ port }) => resolve(port));
    worker.once('exit', () => reject(new Error('A worker could not start.')));
  });
}

/** The embedded defaults as variables, as if they were configured. */
function environmentOf(config: Config): Record<string, string> {
  const { bootstrapEmail, bootstrapToken } = config.security;
  return {
    DATABASE_URL: config.database.url ?? '',
    ENCRYPTION_KEY: encryptionKeyOf(config),
    BOOTSTRAP_EMAIL: bootstrapEmail ?? '',
    BOOTSTRAP_TOKEN: bootstrapToken ?? '',
    // The supervisor runs the only one.
    RUNNER: '',
  };
}
