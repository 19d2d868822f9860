import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Limits of a whole process without a share for each tenant. Work of tenants takes `ShareLimit`, or the queue, so that one
 * of them cannot hold what all wait for. Each of these has a reason.
 */
const REASONS: Readonly<Record<string, string>> = {
  'src/live-updates/bundles/publication/bundle-verification.service.ts':
    'Within one publication: others have limits of their own.',
  'src/queue/pg-boss.ts': 'Statements of the queue, which wait for the database only.',
  'src/storage/blobs/blob-collector.service.ts': 'Within one run of the retention.',
  'src/storage/s3/s3-object-storage.ts':
    'Bounds memory. Files of requests have a share for each organization before.',
};

it('is the only list of limits without shares', () => {
  const limited = globSync('src/**/*.ts', { cwd: root }).filter((path) =>
    readFileSync(join(root, path), 'utf8').includes("from 'p-limit'"),
  );
  expect(limited.sort()).toEqual(Object.keys(REASONS).sort());
});
