import { newLimits } from '../../test/support/limits.js';
import { Metrics } from '../metrics/metrics.js';
import { CapacityUses } from './capacity-uses.js';
import type { CapacityUsesQueries } from './capacity-uses.queries.js';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('measures what has a turn, waits and was refused, by limit and by queue, without names of accounts', async () => {
  const [limits, metrics] = [newLimits(), new Metrics()];
  const queues = () => Promise.resolve([{ queue: 'imports', waiting: 3, waitSeconds: 95 }]);
  const uses = new CapacityUses({ queues } as unknown as CapacityUsesQueries, limits, metrics);
  const samples = async (): Promise<string[]> =>
    (await metrics.registry.metrics()).split('\n').filter((line) => /certificates|imports|ann/.test(line));
  const release = Promise.withResolvers<void>();
  // One of each account has its turn, two of the first one wait, and its fourth is refused.
  const works = ['ann', 'ann', 'ann', 'ann', 'ben'].map((tenant) =>
    limits.run('certificates', tenant, () => release.promise).catch(() => undefined),
  );
  await settle();
  expect(await samples()).toEqual([
    'slipway_limit_running{limit="certificates"} 2',
    'slipway_limit_waiting{limit="certificates"} 2',
    expect.stringMatching(/^slipway_limit_wait_seconds\{limit="certificates"\} (?!0$)/),
    'slipway_limit_refusals_total{limit="certificates"} 1',
    'slipway_queue_waiting{queue="imports"} 3',
    'slipway_queue_wait_seconds{queue="imports"} 95',
  ]);
  release.resolve();
  await Promise.all(works);
  expect((await samples()).slice(0, 3)).toEqual([
    'slipway_limit_running{limit="certificates"} 0',
    'slipway_limit_waiting{limit="certificates"} 0',
    'slipway_limit_wait_seconds{limit="certificates"} 0',
  ]);
  await uses.stop();
});
