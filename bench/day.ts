import { parseArgs } from 'node:util';
import { seed } from '../scripts/seed/seed.ts';
import { DEFAULT_SIZES } from '../scripts/seed/sizes.ts';
import { query } from '../test/setup/databases.ts';
import { type Instance, withInstance } from './instance.ts';
import { LoadGenerator } from './load/load.ts';
import { rounded } from './measure.ts';
import { Results } from './results.ts';

/**
 * `npm run bench:day`: a day of a million devices in four minutes, against two servers on one database. Checks come by
 * a curve with a peak in the morning and another one in the evening; at noon there is a release. docs/capacity.md describes
 * what it shows.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

const DEVICES = options.quick ? 2000 : 1_000_000;
/** Checks of the whole day, and real seconds of each of its hours. */
const CHECKS = options.quick ? 4000 : 1_200_000;
const SECONDS_PER_HOUR = options.quick ? 0.2 : 10;
const CONNECTIONS = 64;

/** How many checks come in each hour, in proportion. */
const CURVE = [2, 1, 1, 1, 2, 4, 8, 12, 12, 9, 7, 6, 7, 7, 6, 6, 6, 7, 8, 9, 9, 7, 5, 3];
const SUM = CURVE.reduce((sum, share) => sum + share, 0);
const NOON = 12;
/** Hours that make a line of the table. */
const LINE = 3;

async function measure(instance: Instance, results: Results): Promise<void> {
  const { appId } = await seed(instance.databaseUrl, {
    ...DEFAULT_SIZES,
    channels: 0,
    devices: 0,
    historyDays: 0,
  });
  const replica = await instance.startReplica();
  const origins = [instance.origin, replica.origin];
  const generator = new LoadGenerator([]);
  const lines: Record<string, string | number>[] = [];
  let firstDevice = 1;
  let answered = 0;
  try {
    for (let begin = 0; begin < CURVE.length; begin += LINE) {
      const share = CURVE.slice(begin, begin + LINE).reduce((sum, part) => sum + part, 0) / SUM;
      const checks = Math.round(CHECKS * share);
      const seconds = LINE * SECONDS_PER_HOUR;
      if (begin === NOON) await release(instance, appId);
      const result = await generator.run({
        origins,
        appId,
        apps: 1,
        devices: checks,
        firstDevice,
        connections: CONNECTIONS,
        rate: checks / seconds,
        seconds,
      });
      firstDevice = ((firstDevice + checks) % DEVICES) + 1;
      answered += result.answers;
      lines.push({
        hours: `${begin} to ${begin + LINE}`,
        'checks per second': rounded(checks / seconds),
        'answered per second': rounded(result.perSecond),
        'p50 (ms)': rounded(result.p50, 1),
        'p99 (ms)': rounded(result.p99, 1),
        answers: JSON.stringify(result.statuses),
      });
    }
    results.add('A day', lines);
    // Reading them lets a server write what it has seen.
    await instance.call('GET', `/v1/apps/${appId}/devices?limit=1`);
    await replica.stop();
    const [devices] = await query<{ known: string; after: string }>(
      instance.databaseUrl,
      `SELECT count(*) AS known, count(*) FILTER (WHERE deployment_id =
                (SELECT id FROM deployments WHERE app_id = $1 ORDER BY sequence DESC LIMIT 1)) AS after,
              pg_size_pretty(pg_total_relation_size('devices')) AS size FROM devices WHERE app_id = $1`,
      [appId],
    );
    results.add('At midnight', [{ answered, ...devices }]);
  } finally {
    generator.stop();
  }
}

/** Another bundle for all devices. */
async function release({ call }: Instance, appId: string): Promise<void> {
  const { appChannelId } = await call<{ appChannelId: string }>('GET', `/v1/apps/${appId}`);
  const { name } = await call<{ name: string }>('GET', `/v1/apps/${appId}/channels/${appChannelId}`);
  const bundle = { artifactType: 'zip', url: 'https://cdn.example.com/noon.zip', channelName: name };
  await call('POST', `/v1/apps/${appId}/bundles`, bundle);
}

const results = new Results(options.quick ? 'day-quick' : 'day');
await withInstance((instance) => measure(instance, results));
await results.write();
