import { Injectable } from '@nestjs/common';
import { StoreTurns, uploadKey } from '../../../store-turns/store-turns.service.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import type { StepContext, StepResult } from '../../store.js';
import type { AppStoreConnectClient } from '../app-store-connect-client.js';
import type { AppleApp, BetaGroup } from '../apple-resources.js';
import { normalizedVersion } from '../apple-version.js';
import { toBetaNotes } from '../testflight-builds/beta-notes.js';
import { type AppleAccount, AppleAccounts } from './apple-accounts.service.js';
import { progressOf } from './apple-progress.js';
import { AppleBuilds, buildOf } from './apple-builds.service.js';
import { appMissing, groupMissing, groupTwice, otherBundleId } from '../testflight-builds/step-refusals.js';

/** How often those that wait look whether it is their turn, if they are not woken. Apple is not asked for that. */
const POLL_SECONDS = 30;
const RULE = 'App Store Connect gets one upload of a build number at a time.';

/** Compares the submission with App Store Connect before anything is uploaded, and takes the turn of its build number. */
@Injectable()
export class CheckStep {
  constructor(
    private readonly accounts: AppleAccounts,
    private readonly turns: StoreTurns,
    private readonly builds: AppleBuilds,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const account = await this.accounts.withClient(context);
    const { client } = account;
    const obstacle = await this.obstacle(submission);
    if (obstacle !== null) return obstacle;
    if (isFirst(submission)) await context.log(`Submitting ${nameOf(submission)} to App Store Connect.`);
    const app = await this.appOf(client, account, submission);
    await this.compare(context, client, account, app);
    const late = await this.take(context, app.id);
    return late ?? this.builds.choose(context, client);
  }

  /** How it waits for its turn; `null`: none is in front, or the app is not known yet. */
  private async obstacle(submission: Submission): Promise<StepResult | null> {
    const { appleAppId } = progressOf(submission);
    if (appleAppId === undefined) return null;
    const key = turnOf(submission, appleAppId);
    const obstacle = await this.turns.obstacle(key, submission, RULE);
    return obstacle === null ? null : wait(key, obstacle);
  }

  private async take(context: StepContext, appleAppId: string): Promise<StepResult | null> {
    const key = turnOf(context.submission, appleAppId);
    let obstacle: string | null = null;
    await context.save({}, async () => {
      obstacle = await this.turns.take(key, context.submission, RULE);
    });
    return obstacle === null ? null : wait(key, obstacle);
  }

  private async appOf(
    client: AppStoreConnectClient,
    { beginning: { wantedAppId } }: AppleAccount,
    { packageName }: Submission,
  ): Promise<AppleApp> {
    if (wantedAppId !== null) {
      const app = await client.app(wantedAppId);
      if (app.bundleId !== packageName) throw otherBundleId(wantedAppId, app.bundleId, packageName);
      return app;
    }
    const apps = await client.appsLike(packageName);
    const app = apps.find(({ bundleId }) => bundleId === packageName);
    if (app !== undefined) return app;
    throw appMissing(
      packageName,
      apps.map(({ bundleId }) => bundleId),
    );
  }

  private async compare(
    context: StepContext,
    client: AppStoreConnectClient,
    account: AppleAccount,
    app: AppleApp,
  ): Promise<void> {
    const { submission } = context;
    const groups = await groupsOf(client, app.id, submission.betaGroups);
    const locales = submission.releaseNotes === null ? [] : await client.appLocales(app.id);
    const fallback = account.defaultLanguage ?? app.primaryLocale;
    toBetaNotes(submission.releaseNotes, { known: locales, fallback });
    if (progressOf(submission).appleAppId === undefined) await context.log(...linesAbout(app, groups));
    await context.save({
      external: {
        ...progressOf(submission),
        ...account.beginning,
        appleAppId: app.id,
        primaryLocale: app.primaryLocale,
        locales,
        groups,
      },
    });
  }
}

/** Those that wait come here again and again. */
function isFirst({ waitsFor, stepAttempts }: Submission): boolean {
  return waitsFor === null && stepAttempts === 0;
}

function nameOf(submission: Submission): string {
  const { version, buildNumber } = buildOf(submission);
  return `${submission.packageName} ${version} (${buildNumber})`;
}

function turnOf(submission: Submission, appleAppId: string): string {
  const { platform, version, buildNumber } = buildOf(submission);
  return uploadKey(appleAppId, platform, normalizedVersion(version), normalizedVersion(buildNumber));
}

/** The groups of the destination, by their exact names. @throws StoreRefusal */
async function groupsOf(
  client: AppStoreConnectClient,
  appleAppId: string,
  names: readonly string[],
): Promise<BetaGroup[]> {
  if (names.length === 0) return [];
  const all = await client.betaGroups(appleAppId);
  return names.map((name) => {
    const [group, second] = all.filter((one) => one.name === name);
    if (group === undefined)
      throw groupMissing(
        name,
        all.map((one) => one.name),
      );
    if (second !== undefined) throw groupTwice(name);
    return group;
  });
}

function linesAbout(app: AppleApp, groups: readonly BetaGroup[]): string[] {
  const names = groups.map(({ name, isInternal }) => `${name} (${isInternal ? 'internal' : 'external'})`);
  return [
    `It is the app ${app.name} (${app.id}) there.`,
    names.length === 0
      ? 'The destination names no TestFlight groups.'
      : `TestFlight groups: ${names.join(', ')}.`,
  ];
}

function wait(waitsFor: string, message: string): StepResult {
  return { kind: 'wait', waitsFor, message, afterSeconds: POLL_SECONDS };
}
