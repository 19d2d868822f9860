import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  processLimits,
  queueLimits,
  type SharedCapacity,
} from '../../src/common/background/shared-capacity.js';

const root = join(import.meta.dirname, '../..');
const TABLE = 'src/common/background/shared-capacity.ts';

const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.spec.ts') && !path.startsWith('src/runner/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const pathsWith = (part: RegExp): string[] =>
  sources
    .filter(({ text }) => part.test(text))
    .map(({ path }) => path)
    .sort();

/** Limits of a whole process without a share for each account. Each of them has a reason. */
const REASONS: Readonly<Record<string, string>> = {
  'src/live-updates/bundles/publication/bundle-verification.service.ts':
    'Within one publication: others have limits of their own.',
  'src/queue/pg-boss.ts': 'Statements of the queue, which wait for the database only.',
  'src/storage/blobs/blob-collector.service.ts': 'Within one run of the retention.',
  'src/storage/s3/s3-object-storage.ts':
    'Bounds memory. Files of requests have a share for each account before.',
};

it('is the only list of limits without shares', () => {
  expect(pathsWith(/from 'p-limit'/)).toEqual(Object.keys(REASONS).sort());
});

it('finds no limiter that is missing in the table', () => {
  expect(pathsWith(/new ShareLimit\(/)).toEqual(['src/common/background/limits.ts']);
  // Who makes queues of pg-boss, or lets something run so many times at once.
  expect(pathsWith(/\.createQueue\(/)).toEqual(['src/queue/queue.service.ts']);
  expect(pathsWith(/groupConcurrency/)).toEqual(['src/queue/queue.service.ts']);
});

it('has no row for what is gone', () => {
  const code = sources.filter(({ path }) => path !== TABLE).map(({ text }) => text);
  const unused = [
    ...Object.keys(processLimits).filter((name) => !code.some((text) => text.includes(`'${name}'`))),
    ...Object.keys(queueLimits).filter((name) => !code.some((text) => text.includes(`name: '${name}'`))),
  ];
  expect(unused).toEqual([]);
});

it.each(Object.entries<SharedCapacity>({ ...processLimits, ...queueLimits }))(
  '%s leaves room for another account, and ends waits',
  (name, { atOnce, perAccount, perOrganization = perAccount, longestWait }) => {
    if (atOnce !== null) expect(perAccount).toBeLessThanOrEqual(Math.ceil(atOnce / 2));
    expect(perOrganization).toBeLessThanOrEqual(perAccount);
    if (name in processLimits) expect(longestWait).toBeLessThanOrEqual(name === 'uploads' ? 600 : 60);
  },
);
