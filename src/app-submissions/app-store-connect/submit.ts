import type { Connect, ReviewRun } from './apple-state.js';
import { attachBuild, prepareVersion, writeWhatsNew } from './review/prepare-version.js';
import { sendToReview } from './review/send-to-review.js';
import { check } from './testflight/check.js';
import { waitForProcessing } from './testflight/processing.js';
import {
  answerCompliance,
  giveToAllGroups,
  giveToGroups,
  sendToBetaReview,
  writeNotes,
} from './testflight/testers.js';
import { deliver, upload } from './testflight/upload.js';

/**
 * Brings a build to testers, and from there to the review of the App Store when the destination says so. Where the order is
 * another one, a step says so with `goOn` or `tryAgain`: an end of an upload that was lost leads back to `deliver`, refused
 * addresses to `upload`, and a version that another review holds to `version`.
 *
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function submit(run: ReviewRun, connect: Connect): Promise<void> {
  const { groups = [] } = run.state;
  await run.once('check', () => check(run, connect));
  await run.once('upload', () => upload(run, connect), { unless: run.state.isAdopted });
  await run.once('deliver', () => deliver(run, connect), { unless: run.state.isAdopted });
  await run.once('processing', () => waitForProcessing(run, connect));
  await run.once('compliance', () => answerCompliance(run, connect));
  await run.once('notes', () => writeNotes(run, connect));
  // Internal testers do not wait for Apple's beta review of the build. The name `groups` stands twice, as servers of earlier releases
  // know it: what is between both must not be needed any more when it is done, as `review` is not.
  const internal = groups.filter(({ isInternal }) => isInternal);
  const needsReview = internal.length < groups.length && run.state.reviewState === undefined;
  await run.once('groups', () => giveToGroups(run, connect, internal));
  await run.once('review', () => sendToBetaReview(run, connect), { unless: !needsReview });
  await run.once('groups', () => giveToAllGroups(run, connect));
  // What goes to testers only has ended here.
  await run.once('version', () => prepareVersion(run, connect));
  await run.once('attach', () => attachBuild(run, connect));
  await run.once('whats-new', () => writeWhatsNew(run, connect));
  await run.once('submit-review', () => sendToReview(run, connect));
}
