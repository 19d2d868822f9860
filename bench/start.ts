import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/setup/free-port.ts';
import { SHIPPED_OPTIONS } from '../test/setup/node-options.ts';
import { withInstance } from './instance.ts';
import { median, memory, rounded } from './measure.ts';
import { settled } from './processes.ts';

/**
 * `npm run bench:start`: how long a server takes from the start of its process to its first response, and how much
 * memory it has when it is idle. The database is migrated.
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const PROGRAM = 'dist/slipway.js';

const times: number[] = [];
const sizes: number[] = [];
await withInstance(async ({ server, databaseUrl, folder }) => {
  await server.stop();
  for (let round = 0; round < ROUNDS; round++) {
    const { milliseconds, megabytes } = await measure(databaseUrl, folder);
    times.push(milliseconds);
    sizes.push(megabytes);
  }
});
console.table({
  'first response (ms), median': median(times),
  least: Math.min(...times),
  'idle (MiB), median': median(sizes),
});

async function measure(
  databaseUrl: string,
  dataDir: string,
): Promise<{ milliseconds: number; megabytes: number }> {
  const port = await freePort();
  const begin = performance.now();
  const server = spawn(process.execPath, [...SHIPPED_OPTIONS, join(import.meta.dirname, '..', PROGRAM)], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      LOG_LEVEL: 'warn',
      // As in the image.
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '2',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(server, 'exit');
  while (!(await isLive(port))) {
    if (server.exitCode !== null) throw new Error(`${PROGRAM} ended with ${server.exitCode}.`);
    await sleep(5);
  }
  const milliseconds = rounded(performance.now() - begin);
  const pid = server.pid ?? 0;
  await settled(pid);
  const megabytes = await memory(pid, 'VmRSS');
  server.kill('SIGTERM');
  await ended;
  return { milliseconds, megabytes };
}

function isLive(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );
}
