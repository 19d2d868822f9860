import { setTimeout as sleep } from 'node:timers/promises';
import { seed } from '../setup/depth.js';
import { eventually } from '../support/eventually.js';
import type { TestBuild } from '../support/native-builds/leases.js';
import { NumberedBuilds } from '../support/native-builds/numbered-builds.js';
import { randomOf } from '../support/random.js';
import { PlaySite } from '../support/stores/play-submissions.js';

const KILLS = 10;
const BUILDS_EACH = 3;

const next = randomOf(seed);

let play: PlaySite;
beforeAll(async () => {
  play = await PlaySite.start();
  // So that kills hit something.
  play.play.latency = 20;
});
afterAll(() => play.dispose());

/** What a killed server had begun goes on now, without the wait until others notice. */
async function restart(): Promise<number> {
  await play.site.restart();
  const lost = await play.site.query<{ id: string }>(
    `UPDATE queue.job SET state = 'retry', start_after = now()
      WHERE name = 'build-numbers' AND state = 'active' RETURNING id`,
  );
  await play.site.query('UPDATE store_turns SET reserved_until = now() WHERE reserved_until IS NOT NULL');
  return lost.length;
}

it('gives each build one number of its own, although the server is killed while it asks', async () => {
  const app = await play.app('com.example.killed', {
    play: { tracks: { production: [{ status: 'completed', versionCodes: ['42'] }] } },
  });
  const builds = new NumberedBuilds(play.site, app.app);
  const configuration = await builds.configure();
  const started: TestBuild[] = [];
  let lost = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    started.push(
      ...(await Promise.all(Array.from({ length: BUILDS_EACH }, () => builds.start(configuration)))),
    );
    await sleep(next() * 300);
    await play.site.kill();
    lost += await restart();
  }
  const numbers: (number | null)[] = [];
  for (const build of started) {
    const { storeBuildNumber, status, log } = await builds.end(build);
    expect([seed, status]).toEqual([seed, 'queued']);
    expect(log.filter((line) => line.startsWith('The build number is '))).toEqual([
      expect.stringContaining(`The build number is ${storeBuildNumber}: `),
    ]);
    numbers.push(storeBuildNumber);
  }
  expect(numbers.toSorted((one, other) => Number(one) - Number(other))).toEqual(
    started.map((_, index) => 43 + index),
  );
  expect([seed, lost > 0]).toEqual([seed, true]);
  await eventually(async () => expect(await play.site.query('SELECT * FROM store_turns')).toEqual([]));
  // The edits that killed servers have left are no obstacle.
  expect((await app.release(43 + started.length)).submission.state).toBe('prepared');
}, 300_000);
