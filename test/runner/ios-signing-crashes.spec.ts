import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { depth, seed } from '../setup/depth.js';
import { loginKeychain, readCalls, readSearchList } from '../support/runners/ios/security/keychain-files.js';
import { SigningBench } from '../support/runners/ios/signing-bench.js';

/** Builds that are killed at the same time, each in a home of its own. */
const AT_ONCE = 3;
/** More than a build changes and calls. */
const MOST_STEPS = 200;
const EVERY = depth.killedSigningSteps;

/** The first profile of the user has the UUID of the build, at one of the two places. */
async function killAt(position: number): Promise<{ isKilled: boolean; state: unknown }> {
  const bench = await SigningBench.make();
  const [own, other] = bench.profilePaths as [string, string];
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, 'of the user');
  const isKilled = (await bench.start({ killAt: position }).end()) === null;

  const swept = await bench.start({ action: 'sweep' }).end();

  const jobs = join(bench.signingDir, 'jobs');
  const state = {
    swept,
    searchList: readSearchList(bench.home).map((path) => path.slice(bench.home.length + 1)),
    leftovers: bench.leftovers().filter((path) => !path.includes('.slipway-signing/lock')),
    jobs: existsSync(jobs) ? readdirSync(jobs) : [],
    own: readFileSync(own, 'utf8'),
    profiles: readdirSync(dirname(own)).length,
    isOtherThere: existsSync(other),
    refused: readCalls(bench.home).filter(({ error }) => error !== null),
  };
  return { isKilled, state };
}

it(`leaves nothing when it is killed before any of its steps (--seed=${seed})`, async () => {
  const reference = await SigningBench.make();
  const expected = {
    swept: { value: [] },
    searchList: [loginKeychain(reference.home), reference.ownKeychain].map((path) =>
      path.slice(reference.home.length + 1),
    ),
    leftovers: [],
    jobs: [],
    own: 'of the user',
    profiles: 1,
    isOtherThere: false,
    refused: [],
  };
  const limit = pLimit(AT_ONCE);
  let isDone = false;
  const ends = await Promise.all(
    Array.from({ length: MOST_STEPS / EVERY }, (_, index) =>
      limit(async () => {
        if (isDone) return null;
        const position = 1 + (seed % EVERY) + index * EVERY;
        const end = await killAt(position);
        isDone ||= !end.isKilled;
        return { position, ...end };
      }),
    ),
  );
  const tried = ends.filter((end) => end !== null);
  expect(isDone).toBe(true);
  expect(tried.filter(({ isKilled }) => isKilled).length).toBeGreaterThan(25 / EVERY);
  for (const { position, state } of tried) expect({ position, state }).toEqual({ position, state: expected });
}, 300_000);
