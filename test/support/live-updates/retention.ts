import { once } from 'node:events';
import type {
  BundleRetentionDto,
  RetainedBundleDto,
} from '../../../src/live-updates/retention/bundle-retention.dto.js';
import type { TestApp } from '../../builders/app.js';
import { eventually } from '../eventually.js';
import { linesOfProgram, type Place, startProgram } from '../processes/programs.js';
import type { OwnSite } from '../servers/own-site.js';

/** What retention would do with an app. */
export async function retentionOf(app: TestApp): Promise<BundleRetentionDto> {
  const { status, body, text } = await app.api.get(`${app.path}/bundle-retention`);
  if (status !== 200) throw new Error(text);
  return body as BundleRetentionDto;
}

/** What it makes of the bundles, newest build first. @param query such as `status=expiring` */
export async function retainedBundles(app: TestApp, query = ''): Promise<RetainedBundleDto[]> {
  const { status, body, text } = await app.api.get(`${app.path}/bundle-retention/bundles?limit=100&${query}`);
  if (status !== 200) throw new Error(text);
  return body as RetainedBundleDto[];
}

/** Why bundles are kept, by their ids. */
export async function reasons(app: TestApp): Promise<Record<string, string | null>> {
  const bundles = await retainedBundles(app);
  return Object.fromEntries(bundles.map(({ appBundleId, reason }) => [appBundleId, reason]));
}

/** Runs `slipway retention run` on a site. @returns the lines that it prints */
export function runRetention(
  site: Place,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  return linesOfProgram('retention run', site, { args, env });
}

/** Runs `slipway storage scrub` on a site. @returns the lines that it prints @throws Error when files are damaged */
export function scrubStorage(site: Place): Promise<string[]> {
  return linesOfProgram('storage scrub', site);
}

/**
 * Runs it without a grace period, and kills it as a power failure would.
 *
 * @param isThen whether it has come as far as it should; it may have ended by then
 */
export async function killRetention(site: Place, isThen: () => Promise<boolean>): Promise<void> {
  const child = startProgram('retention run', site, { env: { DELETION_GRACE_DAYS: '0' } });
  const exited = once(child, 'exit');
  await eventually(async () => expect(await isThen()).toBe(true));
  child.kill('SIGKILL');
  await exited;
}

/** Lets the server of a site do what `runRetention` does, which takes less than the start of a program. */
export async function retainOnServer(site: OwnSite): Promise<void> {
  await requestRuns(site, 1);
  await expectRunsEnded(site);
}

/** Has the servers of a site run retention, again and again without a pause. */
export async function requestRuns(site: OwnSite, times: number): Promise<void> {
  await site.query(
    `INSERT INTO queue.job (name, data) SELECT 'retention', '{}' FROM generate_series(1, $1::int)`,
    [times],
  );
}

/** Waits until all runs have ended, without a failure. */
export async function expectRunsEnded(site: OwnSite): Promise<void> {
  await eventually(async () => {
    const left = await site.query(
      `SELECT state, output FROM queue.job WHERE name = 'retention' AND state <> 'completed'`,
    );
    expect(left).toEqual([]);
  });
}

/** Lets all that retention has noted be older by so many days. */
export async function passDays(site: OwnSite, days: number): Promise<void> {
  for (const [table, column] of [
    ['bundle_expirations', 'unneeded_since'],
    ['blobs', 'unreferenced_since'],
  ]) {
    await site.query(`UPDATE ${table} SET ${column} = ${column} - $1 * interval '1 day'`, [days]);
  }
}
