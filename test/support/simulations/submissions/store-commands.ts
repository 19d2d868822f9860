import { setTimeout as sleep } from 'node:timers/promises';
import { crash } from '../../app-submissions/crash.js';
import type { FaultKind } from '../../stores/stand-in/faults.js';
import type { Call } from '../../stores/google-play/publisher/routes.js';
import type { RefusalName } from '../../stores/google-play/refusals.js';
import { pick } from '../job-command.js';
import { type SubmissionCommandKind, submitBuild } from './submission-commands.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** How far the clock of the database jumps: back-off, polls of what waits, the end of a wait, the end of a job. */
const JUMPS = [-2 * SECOND, 5 * SECOND, 35 * SECOND, 35 * SECOND, 90 * SECOND, 2 * HOUR, 25 * HOUR];
const CALLS: readonly Call[] = [
  'token',
  'insert',
  'startUpload',
  'putChunk',
  'updateTrack',
  'validate',
  'commit',
];
const REFUSALS: readonly RefusalName[] = [
  'unauthenticated',
  'no permission',
  'edit deleted',
  'edit expired',
  'concurrent update',
  'already in review',
  'advertising id',
  'uploads not completed',
  'version code used',
  'target sdk',
  'too many requests',
  'internal error',
];
const FAULTS: readonly FaultKind[] = ['cut', 'lost-response', 'html', 'truncated', 'empty'];

const packageOf = ({ world }: Parameters<SubmissionCommandKind['run']>[0], choice: number): string =>
  pick([...world.play.state.apps.keys()], choice);

/** What Google Play, people in the Play Console, time, and failures of servers do. */
export const storeCommands: readonly SubmissionCommandKind[] = [
  {
    name: 'refuse',
    weight: 4,
    run: ({ world: { play } }, [which, after]) => {
      play.refuse(pick(REFUSALS, which), { after: after % 3 });
      return Promise.resolve();
    },
  },
  {
    name: 'fail',
    weight: 4,
    run: ({ world: { play } }, [which, call, after]) => {
      play.fail(pick(FAULTS, which), { call: pick(CALLS, call), after: after % 3 });
      return Promise.resolve();
    },
  },
  {
    name: 'interruptUpload',
    weight: 1,
    run: ({ world: { play } }, [which]) => {
      play.interrupt(which % 2 === 0 ? { keepBytes: 100 } : { cutAfterBytes: 100 });
      return Promise.resolve();
    },
  },
  {
    name: 'changeInConsole',
    weight: 2,
    run: (scene, [which]) => {
      scene.world.play.changeInConsole(packageOf(scene, which));
      return Promise.resolve();
    },
  },
  {
    name: 'reject',
    weight: 2,
    run: (scene, [which]) => {
      scene.world.play.finishReview(packageOf(scene, which), 'rejected');
      return Promise.resolve();
    },
  },
  {
    name: 'expireTokens',
    weight: 1,
    run: ({ world: { play } }) => {
      play.accounts.expireTokens();
      return Promise.resolve();
    },
  },
  {
    name: 'crashStore',
    weight: 1,
    run: async ({ world: { play } }, [time]) => {
      const comeBack = await crash(play);
      await sleep(time % 200);
      await comeBack();
    },
  },
  {
    name: 'moveDatabaseClock',
    weight: 4,
    run: ({ world }, [jump]) => world.jobs.postgres.move(pick(JUMPS, jump)),
  },
  {
    name: 'restart',
    weight: 1,
    run: async (scene, choices) => {
      const [, , replica] = choices;
      const submitted = submitBuild(scene, choices);
      await sleep(choices[0] % 100);
      await scene.replica(replica).restart();
      await submitted;
    },
  },
  {
    name: 'cutOff',
    weight: 1,
    run: async (scene, choices) => {
      const [which, , replica] = choices;
      const submitted = submitBuild(scene, choices);
      await sleep(which % 100);
      const cut = which % 3 === 0 ? scene.world.jobs.replicas : [scene.replica(replica)];
      await Promise.all(cut.map((each) => each.cutOff(50 + (which % 300))));
      await submitted;
    },
  },
];
