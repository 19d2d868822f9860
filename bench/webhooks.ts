import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { v7 as uuid } from 'uuid';
import { query } from '../test/setup/databases.ts';
import { type Instance, withInstance } from './instance.ts';
import { median, percentile, rounded } from './measure.ts';
import { type Program, startProgram } from './program.ts';
import { Results } from './results.ts';

/**
 * `npm run bench:webhooks`: how long two servers take to deliver 100 events to each of 100 webhooks of one organization,
 * when all receivers work, and when 30 misbehave. docs/performance.md has the figures.
 */

const { values } = parseArgs({
  options: {
    webhooks: { type: 'string', default: '100' },
    bad: { type: 'string', default: '30' },
    events: { type: 'string', default: '100' },
  },
});
const [WEBHOOKS, BAD, EVENTS] = [Number(values.webhooks), Number(values.bad), Number(values.events)];
/** Seconds after which a run has failed. */
const PATIENCE = 600;

const RECORD = `
  INSERT INTO events (id, type, object_id, data, organization_id)
  SELECT id, 'runner_lost', id, $2, $3 FROM unnest($1::uuid[]) AS new (id)`;

const results = new Results('webhooks');
await withInstance(measure, { env: { OUTBOUND_ALLOW: '127.0.0.1', QUEUE_POLL_SECONDS: '5' } });
await results.write();

async function measure(instance: Instance): Promise<void> {
  await instance.startReplica();
  const receivers = await startProgram('webhooks/receivers.ts', { bad: BAD }, []);
  // Servers are faster when they are warm, so the last run is the one to compare with.
  const before = await run(instance, receivers, 'good');
  const mixed = await run(instance, receivers, 'bad');
  const after = await run(instance, receivers, 'good-again');
  receivers.stop();
  const row = (what: string, times: readonly number[]) => ({
    run: what,
    'median (s)': rounded(median(times), 1),
    'last (s)': rounded(percentile(times, 1), 1),
  });
  const healthy = after.slice(BAD);
  const ratios = mixed.slice(BAD).map((time, index) => time / (healthy[index] ?? Number.NaN));
  results.add(`${EVENTS} events to each receiver that works`, [
    row('all work, first run', before.slice(BAD)),
    row('all work, afterwards', healthy),
    row(`${BAD} of ${WEBHOOKS} misbehave`, mixed.slice(BAD)),
    {
      run: 'times as long',
      'median (s)': rounded(median(ratios), 2),
      'last (s)': rounded(percentile(ratios, 1), 2),
    },
  ]);
}

/** @returns seconds until each receiver had everything, those that may misbehave first */
async function run(instance: Instance, receivers: Program, name: string): Promise<number[]> {
  const { id } = await instance.call<{ id: string }>('POST', '/v1/organizations', { name });
  for (let n = 0; n < WEBHOOKS; n++) {
    await instance.call('POST', `/v1/organizations/${id}/webhooks`, {
      name: `Receiver ${n}`,
      url: `${receivers.origin}/${name}/${n}`,
      events: ['runner_lost'],
      signingSecret: 'a secret of a benchmark',
    });
  }
  const data = { runnerId: id, runnerName: 'runner', lastSeenAt: new Date().toISOString(), jobId: null };
  const begin = Date.now();
  await query(instance.databaseUrl, RECORD, [Array.from({ length: EVENTS }, () => uuid()), data, id]);
  const expected = name === 'bad' ? WEBHOOKS - BAD : WEBHOOKS;
  for (;;) {
    const arrivals = await arrivalsOf(receivers, name);
    const complete = Object.values(arrivals).filter((times) => times?.length === EVENTS);
    if (complete.length === expected) {
      const last = (n: number): number => Math.max(...(arrivals[`/${name}/${n}`] ?? [Number.NaN]));
      return Array.from({ length: WEBHOOKS }, (_, n) => (last(n) - begin) / 1000);
    }
    if (Date.now() - begin > PATIENCE * 1000)
      throw new Error(`${complete.length} receivers have everything.`);
    await sleep(500);
  }
}

async function arrivalsOf({ origin }: Program, run: string): Promise<Record<string, number[] | undefined>> {
  return (await (await fetch(`${origin}/${run}`)).json()) as Record<string, number[]>;
}
