import { Injectable } from '@nestjs/common';
import { quoteOf } from '../../../refusals/refused.js';
import { StoreRefusal } from '../../../refusals/refusal.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import type { AppVersion } from '../../app-store/app-store-resources.js';
import { AppleAccounts } from '../apple-accounts.service.js';
import { progressOf, reached } from '../apple-progress.js';

/** Puts the build into its version, and says whether users get it over seven days. */
@Injectable()
export class AttachStep {
  constructor(private readonly accounts: AppleAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const client = await this.accounts.clientOf(context);
    const version = await client.appStore.version(reached(submission, 'versionId'));
    const buildId = reached(submission, 'buildId');
    if (version.buildId !== buildId) {
      await client.appStore.attachBuild(version.id, buildId);
      await context.log('The version has the build.');
    }
    await setPhases(context, client, version);
    return { kind: 'next', step: 'whats-new' };
  }
}

async function setPhases(
  context: StepContext,
  client: AppStoreConnectClient,
  { id, phasedRelease }: AppVersion,
): Promise<void> {
  const { isPhased } = context.submission;
  if (isPhased && progressOf(context.submission).isFirstVersion === true) {
    await context.log('The first version of an app has no phased release: all users get it at once.');
    return;
  }
  if (isPhased === (phasedRelease !== null)) return;
  try {
    await (phasedRelease === null
      ? client.appStore.createPhasedRelease(id)
      : client.appStore.deletePhasedRelease(phasedRelease.id));
  } catch (error) {
    // Another attempt, whose answer was lost, has done it.
    if (!(error instanceof StoreRefusal) || !isDone(error, isPhased)) throw error;
    await context.log(...quoteOf('App Store Connect', error));
  }
  await context.log(
    isPhased
      ? 'Users will get the version over seven days, from its release on.'
      : 'The phased release that the version had is removed: all users will get it at once.',
  );
}

function isDone({ refusal, status }: StoreRefusal, isPhased: boolean): boolean {
  return refusal.does === 'done' || (!isPhased && status === 404);
}
