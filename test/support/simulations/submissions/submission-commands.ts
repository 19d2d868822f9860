import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../eventually.js';
import type { Choices } from '../job-command.js';
import { pick } from '../job-command.js';
import { isOpen, type SubmissionRow } from './submission-model.js';
import type { SubmissionScene } from './submission-scene.js';

/** One kind of command. */
export interface SubmissionCommandKind {
  readonly name: string;
  /** How often it comes, in comparison with others. */
  readonly weight: number;
  readonly run: (scene: SubmissionScene, choices: Choices) => Promise<void>;
}

/** Submits a build. @param other parameters that the same request did not have before */
export async function submitBuild(
  scene: SubmissionScene,
  [which, where, replica]: Choices,
  other: object = {},
  signal?: AbortSignal,
): Promise<void> {
  const { model, world } = scene;
  const build = pick(world.builds, which);
  const destination = pick(
    world.destinations.filter(({ app }) => app === build.app),
    where,
  );
  const before = model.open.map(({ id }) => id);
  const { status, body } = await scene.send(scene.replica(replica), build.app, {
    method: 'POST',
    path: `${world.apps[build.app]?.path}/deployments`,
    // A version may go to a track again and again here.
    body: { appBuildId: build.id, appDestinationId: destination.id, force: true, ...other },
    ...(signal === undefined ? {} : { signal }),
  });
  if (status === 0) {
    model.unknownCreates++;
    return;
  }
  if (status === 409) {
    expect(body['code']).toBe('submission_open');
    return;
  }
  expect(status).toBe(201);
  const id = body['id'] as string;
  if (!before.includes(id)) model.created.add(id);
}

/** Cancels a submission. */
export async function cancelSubmission(
  scene: SubmissionScene,
  { id, jobId, packageName, versionCode }: SubmissionRow,
  replica: number,
): Promise<void> {
  const { model, world } = scene;
  model.cancelAsked.add(id);
  const { app = 0 } =
    world.builds.find((build) => build.packageName === packageName && build.versionCode === versionCode) ??
    {};
  const { status, body } = await scene.send(scene.replica(replica), app, {
    method: 'PATCH',
    path: `/v1/jobs/${jobId}`,
    body: { status: 'canceled' },
  });
  if (status === 200) model.canceled.add(id);
  else if (status !== 0) {
    const refusals = [
      [400, 'job_finished'],
      [409, 'submission_committed'],
    ];
    expect(refusals).toContainEqual([status, body['code']]);
  }
}

/** A person sends what waits in the Play Console for review, and the review ends well. */
export function sendForReview({ world: { play } }: SubmissionScene): void {
  for (const app of play.state.apps.values()) {
    app.isRejected = false;
    for (const release of [...app.tracks.values()].flat())
      if (release.lifecycle === 'NOT_SENT_FOR_REVIEW') release.lifecycle = 'PUBLISHED';
    play.finishReview(app.packageName, 'approved');
  }
}

/** Marks a submission as done. */
export async function markAsDone(
  scene: SubmissionScene,
  { id, packageName, versionCode }: SubmissionRow,
  replica: number,
): Promise<number> {
  const { model, world } = scene;
  const { app = 0 } =
    world.builds.find((build) => build.packageName === packageName && build.versionCode === versionCode) ??
    {};
  model.doneAsked.add(id);
  const { status } = await scene.send(scene.replica(replica), app, {
    method: 'POST',
    path: `${world.apps[app]?.path}/deployments/${id}/done`,
  });
  expect([0, 200, 409]).toContain(status);
  return status;
}

/** Waits until no submission works, or for some seconds. */
async function settle(scene: SubmissionScene): Promise<void> {
  await eventually(async () => {
    const working = (await scene.read()).filter(({ state, waitsFor }) => isOpen(state) && waitsFor === null);
    expect(working).toEqual([]);
  }, 4000).catch(() => undefined);
}

export const submissionCommands: readonly SubmissionCommandKind[] = [
  { name: 'submit', weight: 10, run: submitBuild },
  {
    name: 'submitAndLeave',
    weight: 2,
    run: async (scene, choices) => {
      const [which] = choices;
      await submitBuild(scene, choices, {}, AbortSignal.timeout(which % 40));
      // The request that was given up may still be on its way.
      await sleep(100);
    },
  },
  {
    name: 'submitTwice',
    weight: 2,
    run: async (scene, [which, where, replica]) => {
      await Promise.all([0, 1].map((at) => submitBuild(scene, [which, where, replica + at])));
    },
  },
  {
    name: 'submitOtherwise',
    weight: 1,
    run: (scene, choices) => submitBuild(scene, choices, { inAppUpdatePriority: 3 }),
  },
  {
    name: 'cancel',
    weight: 4,
    run: async (scene, [which, replica]) => {
      const { open, last } = scene.model;
      const rows = open.length > 0 && which % 8 !== 0 ? open : last;
      if (rows.length > 0) await cancelSubmission(scene, pick(rows, which), replica);
    },
  },
  {
    name: 'markAsDone',
    weight: 2,
    run: async (scene, [which, replica, sent]) => {
      const waiting = scene.model.last.filter(({ state }) => state === 'failed_with_action_required');
      if (waiting.length === 0) return;
      if (sent % 4 !== 0) sendForReview(scene);
      await markAsDone(scene, pick(waiting, which), replica);
    },
  },
  { name: 'settle', weight: 8, run: settle },
  { name: 'wait', weight: 6, run: (_scene, [time]) => sleep(time % 400) },
];
