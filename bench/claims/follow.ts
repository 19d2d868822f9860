import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from '../instance.ts';
import { median } from '../measure.ts';
import { processorTime } from '../processes.ts';
import { append, type Claimed, lines, queueJobs, type Runner, send } from './runner-client.ts';

const FOLLOWED_BYTES = 4_000_000;
const FOLLOW_SECONDS = 30;

/** One running job with a log of 4 MB, and readers that ask for all of it every three seconds, as the CLI does. */
export async function follow(
  instance: Instance,
  organizationId: string,
  appId: string,
  [runner]: readonly Runner[],
  readers: number,
) {
  if (runner === undefined) throw new Error('There is no runner.');
  await queueJobs(instance.databaseUrl, organizationId, [appId], 1);
  const body = { sessionId: runner.sessionId, claimId: randomUUID() };
  let claimed: Claimed | null = null;
  while (claimed === null)
    claimed = await send<Claimed>(runner.origin, runner.token, 'POST', '/v1/runner/claims', body);
  const { job, jobToken } = claimed;
  await send(runner.origin, jobToken, 'POST', '/v1/runner/job/start');
  const step = 60_000;
  let offset = 0;
  for (; offset + step <= FOLLOWED_BYTES; offset += step)
    await append(runner.origin, jobToken, offset, lines(step));
  const times: number[] = [];
  const until = performance.now() + FOLLOW_SECONDS * 1000;
  const cpu = await processorTime(instance.server.process.pid ?? 0);
  let bytes = 0;
  await Promise.all(
    Array.from({ length: readers }, async (_, index) => {
      await sleep((index / readers) * 3000);
      while (performance.now() < until) {
        const begin = performance.now();
        const response = await fetch(`${instance.origin}/v1/jobs/${job.id}?relations=jobLogs`, {
          headers: { Authorization: `Bearer ${instance.token}`, 'Accept-Encoding': 'gzip' },
        });
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
        bytes = (await response.arrayBuffer()).byteLength;
        const took = performance.now() - begin;
        times.push(took);
        await sleep(Math.max(0, 3000 - took));
      }
    }),
  );
  const used = (await processorTime(instance.server.process.pid ?? 0)) - cpu;
  times.sort((a, b) => a - b);
  return {
    readers,
    log: `${(bytes / 1e6).toFixed(1)} MB`,
    responses: times.length,
    median: `${median(times).toFixed(0)} ms`,
    p95: `${(times[Math.floor(times.length * 0.95)] ?? 0).toFixed(0)} ms`,
    'processor time of each': `${((used / times.length) * 1000).toFixed(1)} ms`,
  };
}
