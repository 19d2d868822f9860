import type { AsyncCommand } from 'fast-check';
import type { Hold, JobModel, SimulatedRunner } from './job-model.js';
import type { JobScene } from './job-scene.js';
import type { Replica } from './replica.js';

/** Numbers that a command chooses things with, such as the replica: each is taken modulo the number of things. */
export type Choices = readonly [number, number, number];

/** One kind of command. */
export interface CommandKind {
  readonly name: string;
  /** Whether it can run. */
  readonly isPossible?: (model: JobModel) => boolean;
  readonly run: (scene: JobScene, choices: Choices) => Promise<void>;
}

/** A command with what it does it to. All invariants are checked after it. */
export class JobCommand implements AsyncCommand<JobModel, JobScene> {
  constructor(
    private readonly kind: CommandKind,
    private readonly choices: Choices,
  ) {}

  check(model: Readonly<JobModel>): boolean {
    return this.kind.isPossible?.(model as JobModel) ?? true;
  }

  async run(_model: JobModel, scene: JobScene): Promise<void> {
    scene.trace.push(this.toString());
    await this.kind.run(scene, this.choices);
    await scene.observe();
  }

  toString(): string {
    return `${this.kind.name}(${this.choices.join()})`;
  }
}

/** One of some things. */
export function pick<T>(things: readonly T[], choice: number): T {
  const thing = things[choice % things.length];
  if (thing === undefined) throw new Error('There is nothing to choose from.');
  return thing;
}

export const replicaOf = (scene: JobScene, choice: number): Replica => pick(scene.world.replicas, choice);

export const runnerOf = (scene: JobScene, choice: number): SimulatedRunner => pick(scene.runners, choice);

/** A hold: of those with a lease, or one in eight times any, whose runner comes too late. */
export function holdOf({ model }: JobScene, choice: number): Hold {
  const live = model.holds.filter((hold) => model.hasLease(hold));
  return pick(live.length > 0 && choice % 8 !== 0 ? live : model.holds, choice >> 3);
}

export const hasHolds = ({ holds }: JobModel): boolean => holds.length > 0;
