import { setTimeout as sleep } from 'node:timers/promises';
import { markAsDone, sendForReview } from './submission-commands.js';
import type { SubmissionRow } from './submission-model.js';
import type { SubmissionScene } from './submission-scene.js';

/** How long the end of a run may take, in milliseconds, although no submission has to wait any more. */
const PATIENCE = 90_000;

/** Ends a run: the store works, people do what they must, and time passes. @throws Error when something stays open */
export async function drain(scene: SubmissionScene): Promise<void> {
  const { model, world } = scene;
  scene.trace.push('drain');
  world.play.faults.clear();
  const end = performance.now() + PATIENCE;
  for (;;) {
    await scene.observe();
    sendForReview(scene);
    for (const row of model.last.filter(({ state }) => state === 'failed_with_action_required'))
      await markAsDone(scene, row, 0);
    const isOver =
      model.open.length === 0 && model.last.every(({ isCleaning, hasEdit }) => !isCleaning && !hasEdit);
    const isWaiting = model.last.some(
      (row) => row.state === 'failed_with_action_required' && isThere(scene, row),
    );
    if (isOver && !isWaiting) break;
    if (performance.now() > end) throw new Error(`Submissions stay open: ${JSON.stringify(model.last)}`);
    // What a step waits for is over.
    await scene.query(
      `UPDATE queue.job SET start_after = now() WHERE name LIKE 'submission%' AND state < 'active' AND start_after > now()`,
    );
    await sleep(200);
  }
  await scene.observe();
  const open = [...world.play.state.edits.values()]
    .filter(({ state }) => state === 'open')
    .map(({ id }) => id);
  const left = model.last.filter(({ editId }) => editId !== null && open.includes(editId));
  if (left.length > 0) throw new Error(`Edits are left at the store: ${JSON.stringify(left)}`);
}

/** Whether the release is still on its track: one that another has replaced cannot be marked as done, and delays nothing. */
function isThere({ world }: SubmissionScene, { packageName, track, versionCode }: SubmissionRow): boolean {
  const releases = world.play.app(packageName).tracks.get(track) ?? [];
  return releases.some(({ versionCodes }) => versionCodes.includes(versionCode));
}
