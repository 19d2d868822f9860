import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  openWork,
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

/** Counters of a whole process without a share of an app, a user or an organization. Each of them has a reason. */
const COUNTERS: Readonly<Record<string, string>> = {
  'src/devices/releases/release-table-batcher.ts':
    'Loads the tables of a hundred apps at once, as long as statements take.',
  'src/storage/blobs/scrub-queue.ts': 'Copies of ids: the next download asks again.',
};

/** A limit that is written in the code: a number, or a constant that is not from the table. */
const isOwnLimit = (text: string, limit: string): boolean =>
  /^\d/.test(limit) || !text.includes(`const ${limit} = openWork[`);

/** A comparison before something begins, such as `.size >= MAX_OF_APP` or `running < 2`. */
const COMPARISON =
  /(?:\.size|\b(?:active|busy|count|held|open|own|pending|running|waiting)) *(?:>=|<) *(\d+|[A-Z][A-Z_]+)\b/g;
/** What has ended is taken away. */
const TAKEN_AWAY = /\.delete\(|--;/;
/** A count of rows. */
const COUNTED_ROWS = /\.hasRoom\w*\([^;]*?\b(\d+|[A-Z][A-Z_]+)\b/g;

/*
 * It looks for files that count open work: they take away what has ended, and compare the size of a Map or Set, or a number
 * with a name of open work, with a limit of their own. It also looks for files that count rows with one. Limits of
 * `CountLimits.requireRoom` are for what is kept, not for work.
 */
it('finds no counter of open work that is missing in the table', () => {
  const found = sources.filter(({ text }) => {
    const counters = TAKEN_AWAY.test(text) ? [...text.matchAll(COMPARISON)] : [];
    return [...counters, ...text.matchAll(COUNTED_ROWS)].some(([, limit = '']) => isOwnLimit(text, limit));
  });
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(COUNTERS).sort());
});

it('has no row for what is gone', () => {
  const code = sources.filter(({ path }) => path !== TABLE).map(({ text }) => text);
  const unused = [
    ...Object.keys(processLimits).filter((name) => !code.some((text) => text.includes(`'${name}'`))),
    ...Object.keys(openWork).filter((name) => !code.some((text) => text.includes(`'${name}'`))),
    ...Object.keys(queueLimits).filter((name) => !code.some((text) => text.includes(`name: '${name}'`))),
  ];
  expect(unused).toEqual([]);
});

it.each(Object.entries<SharedCapacity>({ ...processLimits, ...queueLimits }))(
  '%s leaves room for another account, and ends waits',
  (name, { atOnce, perAccount, perOrganization = perAccount, longestWait, outcome }) => {
    if (atOnce !== null) expect(perAccount).toBeLessThanOrEqual(Math.ceil(atOnce / 2));
    expect(perOrganization).toBeLessThanOrEqual(perAccount);
    if (outcome.startsWith('429') && name !== 'uploads') expect(longestWait).toBeLessThanOrEqual(20);
    if (name in processLimits) expect(longestWait).toBeLessThanOrEqual(name === 'uploads' ? 600 : 60);
  },
);
