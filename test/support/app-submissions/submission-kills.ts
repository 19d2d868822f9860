import { setTimeout as sleep } from 'node:timers/promises';
import { depth, isDeep } from '../../setup/depth.js';
import { eventually } from '../eventually.js';
import type { OwnSite } from '../servers/own-site.js';
import type { Hold } from '../stores/stand-in/faults.js';
import type { SubmissionFleet } from './submission-fleet.js';

/** Milliseconds until submissions have ended: some are hit by several kills, and some kills are found after ten seconds. */
export const PATIENCE = 420_000;

/** When servers are killed. */
export interface Kills {
  /** Random numbers. */
  readonly next: () => number;
  /** In `npm run test:rest`: holds a call that will come. */
  readonly hold: (kill: number) => Hold | Promise<Hold>;
  /** In `npm run test:deep`: waits for a random moment. */
  readonly moment: (kill: number) => Promise<unknown>;
}

/**
 * Kills servers with SIGKILL, `depth.kills` times: in `npm run test:deep` one or both at random moments, in
 * `npm run test:rest` both in the middle of a call, and the last time one whose work the other one takes over after ten
 * seconds.
 *
 * @returns how many processes were killed
 */
export async function killServers(fleet: SubmissionFleet, { next, hold, moment }: Kills): Promise<number> {
  let killed = 0;
  if (isDeep) await fleet.resume();
  for (let kill = 0; kill < depth.kills; kill++) {
    if (isDeep) {
      await moment(kill);
      killed += await fleet.replace(next);
      continue;
    }
    const { arrived, release } = await hold(kill);
    await arrived;
    const isLast = kill === depth.kills - 1;
    // The other server starts only now, so that the call is one of the server that is killed.
    if (isLast) await fleet.restart(1);
    await (isLast ? fleet.kill(0) : fleet.killAll());
    release();
    await fleet.restart(0);
    killed += isLast ? 1 : 2;
  }
  return killed;
}

/**
 * Submits builds while servers are killed: all of them at once in `npm run test:deep`, otherwise a part before each kill.
 *
 * @param countDone how much the store has done so far
 * @param hold holds a call of each part
 */
export async function submitWhileKilling<Planned, Submitted>(
  fleet: SubmissionFleet,
  planned: readonly Planned[],
  submit: (planned: readonly Planned[]) => Promise<Submitted[]>,
  { next, countDone, hold }: Pick<Kills, 'next'> & { countDone: () => number; hold: () => Hold },
): Promise<{ submitted: Submitted[]; kills: number }> {
  const submitted = isDeep ? await submit(planned) : [];
  const part = planned.length / depth.kills;
  const kills = await killServers(fleet, {
    next,
    hold: async (kill) => {
      const held = hold();
      submitted.push(...(await submit(planned.slice(kill * part, (kill + 1) * part))));
      return held;
    },
    moment: async (kill) => {
      // The last ones begin before all are done.
      const done = Math.floor(3 + (kill * 0.85 * planned.length) / depth.kills);
      await eventually(() => expect(countDone()).toBeGreaterThanOrEqual(done), PATIENCE);
      await sleep(next() * 1000);
    },
  });
  return { submitted, kills };
}

/**
 * Takes away what servers depend on while submissions run, `depth.outages` times.
 *
 * @param countDone how much the store has done so far
 * @param stop takes it away @returns brings it back
 */
export async function passOutages(
  countDone: () => number,
  next: () => number,
  stop: () => Promise<() => Promise<unknown>>,
): Promise<void> {
  const before = countDone();
  for (let outage = 1; outage <= depth.outages; outage++) {
    // A step that an outage has ended is repeated after a while.
    await eventually(() => expect(countDone()).toBeGreaterThanOrEqual(before + outage), PATIENCE);
    await sleep(next() * 300);
    const resume = await stop();
    await sleep(500 + next() * 1000);
    await resume();
  }
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
  });
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
