import { parseArgs } from 'node:util';
import { printedProgress } from '../scripts/seed/progress.ts';
import { seed } from '../scripts/seed/seed.ts';
import { DEFAULT_SIZES } from '../scripts/seed/sizes.ts';
import { type Instance, withInstance } from './instance.ts';
import { median, rounded, time } from './measure.ts';
import { Results } from './results.ts';

/**
 * `npm run bench:lists`: what the first and a far page of the long lists take. docs/performance.md has the figures.
 */
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

const SIZE = options.quick ? 2000 : 100_000;
const SIZES = {
  ...DEFAULT_SIZES,
  devices: 10 * SIZE,
  bundles: SIZE,
  deployments: SIZE,
  auditEvents: SIZE,
  historyDays: 0,
};
const LIMIT = 50;
/** Of each page. */
const REQUESTS = 20;

async function measure({ call, databaseUrl }: Instance): Promise<void> {
  const { organizationId, appId } = await seed(databaseUrl, SIZES, printedProgress(process.stdout));
  const lists = {
    builds: { path: `/v1/apps/${appId}/builds`, rows: SIZES.bundles },
    deployments: { path: `/v1/apps/${appId}/deployments`, rows: SIZES.deployments },
    devices: { path: `/v1/apps/${appId}/devices`, rows: SIZES.devices },
    'audit events': { path: `/v1/organizations/${organizationId}/audit-events`, rows: SIZES.auditEvents },
  };
  const table = [];
  for (const [what, { path, rows }] of Object.entries(lists)) {
    const page = async (offset: number): Promise<number> => {
      const times: number[] = [];
      for (let request = 0; request < REQUESTS; request++) {
        const seconds = await time(async () => {
          const entries = await call<unknown[]>('GET', `${path}?limit=${LIMIT}&offset=${offset}`);
          if (entries.length !== LIMIT) throw new Error(`${path}: ${entries.length} entries at ${offset}.`);
        });
        times.push(1000 * seconds);
      }
      return rounded(median(times), 1);
    };
    table.push({
      what,
      rows,
      'first page (ms)': await page(0),
      [`at ${SIZE - LIMIT} (ms)`]: await page(SIZE - LIMIT),
    });
  }
  const results = new Results('lists');
  results.add('Pages of long lists', table);
  await results.write();
}

await withInstance(measure);
