import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.js';
import type { OwnSite } from '../servers/own-site.js';
import type { SubmissionFleet } from './submission-fleet.js';

/** How often servers are killed, and how many more submissions the store has done before each time. */
const KILLS = 9;
const EVERY = 5;

/**
 * Kills one server or both with SIGKILL, nine times at random moments.
 *
 * @param countDone how much the store has done so far; it becomes at least 43
 * @param next random numbers
 * @param patience milliseconds until it has
 * @returns how many processes were killed
 */
export async function killAtRandom(
  fleet: SubmissionFleet,
  countDone: () => number,
  next: () => number,
  patience: number,
): Promise<number> {
  let kills = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await eventually(() => expect(countDone()).toBeGreaterThanOrEqual(3 + kill * EVERY), patience);
    await sleep(next() * 1000);
    const numbers = next() < 0.2 ? ([0, 1] as const) : ([next() < 0.5 ? 0 : 1] as const);
    await fleet.replace(numbers, next() * 1500);
    kills += numbers.length;
  }
  return kills;
}

/**
 * Expects that all submissions have ended, and that no turn, task or address of an upload is left of them.
 *
 * @param isStoreTidy expects that nothing of them is left at the store
 */
export async function expectNoWorkLeft(site: OwnSite, isStoreTidy: () => void): Promise<void> {
  await eventually(async () => {
    expect(await site.query('SELECT * FROM store_turns')).toEqual([]);
    isStoreTidy();
    const unfinished = `SELECT name, state, data FROM queue.job WHERE name LIKE 'submission%' AND state < 'completed'`;
    expect(await site.query(unfinished)).toEqual([]);
  }, 60_000);
  expect(
    await site.query(
      `SELECT id, state FROM submissions
        WHERE state NOT IN ('prepared', 'failed') OR waits_for IS NOT NULL OR sealed_upload IS NOT NULL`,
    ),
  ).toEqual([]);
}

/** How many steps of submissions were repeated because their process had died. */
export async function countRepeated(site: OwnSite): Promise<number> {
  const [{ repeated } = { repeated: 0 }] = await site.query<{ repeated: number }>(
    `SELECT count(*)::int AS repeated FROM queue.job WHERE name = 'submissions' AND retry_count > 0`,
  );
  return repeated;
}

/**
 * Lets submissions go on at once that only wait for time to pass, such as for Apple to process a build. Those that
 * repeat a failed step wait as always.
 *
 * @returns ends that
 */
export function hurrySubmissions(site: OwnSite): () => Promise<void> {
  let isOver = false;
  const hurry = async (): Promise<void> => {
    while (!isOver) {
      await site.query(
        `UPDATE queue.job AS task SET start_after = now() FROM submissions
          WHERE task.name = 'submissions' AND task.state = 'created' AND task.start_after > now()
            AND task.data->>'jobId' = submissions.job_id::text AND submissions.step_attempts = 0`,
      );
      await sleep(500);
    }
  };
  const work = hurry();
  return () => {
    isOver = true;
    return work;
  };
}
