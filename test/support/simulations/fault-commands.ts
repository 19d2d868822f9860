import { setTimeout as sleep } from 'node:timers/promises';
import { createBuild } from './build-commands.js';
import { claim } from './claim-commands.js';
import { type Choices, type CommandKind, holdOf, pick, replicaOf, runnerOf } from './job-command.js';
import type { JobScene } from './job-scene.js';
import type { Replica } from './replica.js';
import { finish, start } from './runner-commands.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** How far clocks jump, in milliseconds. */
const JUMPS = [
  -10 * SECOND,
  -2 * SECOND,
  SECOND,
  2 * SECOND,
  4 * SECOND,
  20 * SECOND,
  50 * SECOND,
  HOUR,
  2 * HOUR,
];

/** A request that a fault may hit. */
async function request(scene: JobScene, replica: Replica, [which, a, b]: Choices): Promise<void> {
  const { holds } = scene.model;
  if (which % 4 === 0 || holds.length === 0) await createBuild(scene, replica, a % 2);
  else if (which % 4 === 1) await claim(scene, runnerOf(scene, a), 2, b, false);
  else if (which % 4 === 2) await start(scene, replica, holdOf(scene, a));
  else await finish(scene, replica, holdOf(scene, a));
}

export const clockCommands: readonly CommandKind[] = [
  {
    name: 'moveDatabaseClock',
    run: async (scene, [jump]) => {
      // What has expired has done so before a jump back.
      scene.model.addClock(await scene.clock());
      await scene.world.postgres.move(pick(JUMPS, jump));
    },
  },
  {
    name: 'moveServerClock',
    run: (scene, [jump, replica]) => replicaOf(scene, replica).moveClock(pick(JUMPS, jump)),
  },
  { name: 'wait', run: (_scene, [time]) => sleep(time % 700) },
];

export const faultCommands: readonly CommandKind[] = [
  {
    name: 'restart',
    run: async (scene, choices) => {
      const [, replica, time] = choices;
      const killed = replicaOf(scene, replica);
      const requested = request(scene, killed, choices);
      await sleep(time % 25);
      await killed.restart();
      await requested;
    },
  },
  {
    name: 'cutOff',
    run: async (scene, choices) => {
      const [which, replica, time] = choices;
      const requested = request(scene, replicaOf(scene, replica), choices);
      await sleep(time % 25);
      const { replicas } = scene.world;
      const cut = which % 3 === 0 ? replicas : [replicaOf(scene, replica)];
      await Promise.all(cut.map((each) => each.cutOff(50 + (time % 300))));
      await requested;
    },
  },
];
