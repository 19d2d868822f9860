import { createHistogram } from 'node:perf_hooks';
import { Connection } from './connection.ts';
import type { Load, LoadResult } from './load.ts';
import { requestsOf } from './requests.ts';

/** The program of a `LoadGenerator`: sends the loads that it receives, and replies with their results. */

let prepared: { key: string; requests: readonly Buffer[] } = { key: '', requests: [] };

process.on('message', (load: Load) => void run(load).then((result) => process.send?.(result)));

/** Making the requests costs more than sending them: the same ones are kept. */
function prepare(load: Load): readonly Buffer[] {
  const { connections: _, rate: _rate, seconds: _seconds, requests: _requests, ...content } = load;
  const key = JSON.stringify(content);
  if (prepared.key !== key) prepared = { key, requests: requestsOf(load) };
  return prepared.requests;
}

async function run(load: Load): Promise<LoadResult> {
  const requests = prepare(load);
  const most = load.requests ?? Number.POSITIVE_INFINITY;
  const statuses: Record<string, number> = {};
  const histogram = createHistogram();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const free: Connection[] = [];
  /** Requests that are due and have no connection yet, by the time at which they were. */
  const waiting: number[] = [];
  let next = 0;
  let answers = 0;
  let running = true;

  const send = (connection: Connection, due: number): void => {
    connection.send(requests[next++ % requests.length] as Buffer, due);
  };
  const onResponse = (connection: Connection, status: string, milliseconds: number): void => {
    if (!running) return;
    statuses[status] = (statuses[status] ?? 0) + 1;
    histogram.record(Math.max(1, Math.round(milliseconds * 1000)));
    if (++answers >= most) end();
    else if (load.rate === undefined && next < most) send(connection, performance.now());
    else if (waiting.length > 0) send(connection, waiting.shift() as number);
    else free.push(connection);
  };
  const connections = Array.from(
    { length: load.connections },
    (_, n) => new Connection(load.origins[n % load.origins.length] as string, onResponse),
  );

  const cpu = process.cpuUsage();
  const start = performance.now();
  const timer = setTimeout(end, load.seconds * 1000);
  const pace = load.rate === undefined ? undefined : paced(load.rate, free, waiting, send);
  for (const connection of connections) {
    if (pace !== undefined) free.push(connection);
    else if (next < most) send(connection, performance.now());
  }
  await ended;
  running = false;
  clearTimeout(timer);
  clearInterval(pace);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  return {
    answers,
    perSecond: answers / seconds,
    statuses,
    p50: histogram.percentile(50) / 1000,
    p99: histogram.percentile(99) / 1000,
    max: answers === 0 ? 0 : histogram.max / 1000,
    seconds,
    busy: (user + system) / 1e6 / seconds,
  };
}

/**
 * Sends what is due each millisecond. A request that finds no free connection waits, and its time runs: a server that
 * stalls is not spared the requests of that time.
 */
function paced(
  rate: number,
  free: Connection[],
  waiting: number[],
  send: (connection: Connection, due: number) => void,
): NodeJS.Timeout {
  const start = performance.now();
  let sent = 0;
  return setInterval(() => {
    const now = performance.now();
    for (const due = ((now - start) / 1000) * rate; sent < due; sent++) {
      const connection = free.pop();
      if (connection === undefined) waiting.push(now);
      else send(connection, now);
    }
  }, 1);
}
