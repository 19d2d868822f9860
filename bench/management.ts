import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { seededId } from '../scripts/seed/ids.ts';
import { type Bench, FULL, loadOf, QUICK, seedApp, send } from './check/bench.ts';
import { onCore, stayOnCore } from './cores.ts';
import { withInstance } from './instance.ts';
import { LoadGenerator } from './load/load.ts';
import { median, rounded } from './measure.ts';
import { processorTime } from './processes.ts';
import { startProgram } from './program.ts';
import { Results } from './results.ts';

/**
 * `npm run bench:management`: a channel and a page of channels with a token, against Express handlers that are
 * written for these two by hand, with the same statements. docs/performance.md has the figures. Linux only.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

/** What Slipway must reach of the other. */
const LIMIT = 0.6;

/** A server that answers, and what it took. */
interface Turn {
  readonly perSecond: number;
  /** Milliseconds of the server's processor for one request. */
  readonly processor: number;
}

async function turn(bench: Bench, origin: string, pid: number, path: string): Promise<Turn> {
  const { token } = bench.instance;
  const request =
    `GET ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: keep-alive\r\n` +
    `Accept: application/json\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const before = await processorTime(pid);
  const { perSecond, answers } = await send(bench, loadOf(bench, '', { origins: [origin], request }), '200');
  return { perSecond, processor: (1000 * ((await processorTime(pid)) - before)) / answers };
}

async function measure(bench: Bench): Promise<void> {
  const { instance, results, settings } = bench;
  const appId = await seedApp(bench, { channels: 60, bundles: 50, deployments: 300 });
  const byHand = await startProgram(
    'management/express.ts',
    { databaseUrl: instance.databaseUrl },
    onCore(0),
  );
  try {
    const channels = `/v1/apps/${appId}/channels`;
    const paths = { 'a channel': `${channels}/${seededId(appId, 'channel', 1)}`, '50 channels': channels };
    const table = [];
    for (const [what, path] of Object.entries(paths)) {
      const headers = { Authorization: `Bearer ${instance.token}` };
      const [own, other] = [instance.origin, byHand.origin].map(async (origin) =>
        (await fetch(origin + path, { headers })).json(),
      );
      assert.deepEqual(await other, await own, 'both give the same answer');
      const rounds: { slipway: Turn; express: Turn }[] = [];
      for (let round = -1; round < settings.rounds; round++) {
        const express = await turn(bench, byHand.origin, byHand.pid, path);
        const slipway = await turn(bench, instance.origin, instance.server.process.pid ?? 0, path);
        if (round >= 0) rounds.push({ slipway, express });
      }
      const ratio = rounded(
        median(rounds.map(({ slipway, express }) => slipway.perSecond / express.perSecond)),
        2,
      );
      table.push({
        what,
        'Slipway per second': rounded(median(rounds.map(({ slipway }) => slipway.perSecond))),
        'by hand per second': rounded(median(rounds.map(({ express }) => express.perSecond))),
        ratio,
        // Where the database is what limits, the server's own part shows only here.
        'Slipway processor (ms)': rounded(median(rounds.map(({ slipway }) => slipway.processor)), 2),
        'by hand processor (ms)': rounded(median(rounds.map(({ express }) => express.processor)), 2),
      });
      if (!options.quick && ratio < LIMIT) process.exitCode = 1;
    }
    results.add('Management requests', table);
  } finally {
    byHand.stop();
  }
}

stayOnCore(1);
const generator = new LoadGenerator([]);
const results = new Results('management');
try {
  await withInstance(
    (instance) => measure({ instance, generator, results, settings: options.quick ? QUICK : FULL }),
    { under: onCore(0) },
  );
  await results.write();
} finally {
  generator.stop();
}
