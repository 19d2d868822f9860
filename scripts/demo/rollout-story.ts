import assert from 'node:assert/strict';
import type { GooglePlay } from '../../test/support/stores/google-play/google-play.ts';
import type { Api } from './api.ts';
import { fact, step } from './print.ts';
import { StoreRelease } from './release.ts';

/** A release of Google Play that a fifth of the users have. */
export interface StagedRelease {
  readonly appPath: string;
  readonly deploymentId: string;
  readonly packageName: string;
  readonly track: string;
}

/**
 * A staged release: it grows, is halted, goes on, and reaches all users.
 *
 * @throws Error when anything is not as it should be
 */
export async function rollOut(
  api: Api,
  google: GooglePlay,
  { appPath, deploymentId, packageName, track }: StagedRelease,
): Promise<void> {
  const release = new StoreRelease(api, appPath, deploymentId);

  step('Half of the users get it');
  assert.equal((await release.setShare(0.5)).status, 'rolling_out');

  step('A crash is reported: no further users get it');
  assert.equal((await release.setShare(0)).status, 'halted');

  step('The cause was another app: the rollout goes on');
  assert.equal((await release.setShare(0.5)).status, 'rolling_out');

  step('All users get it');
  assert.equal((await release.setShare(1)).status, 'released');

  step('What the track has had, and who did what');
  const history = google.historyOf(packageName, track);
  for (const one of history) fact(one);
  assert.match(history.at(-1) ?? '', /completed/, 'the release is complete');
  await release.printHistory();
}
