import { uploadKey } from '../../flow/store-turns.service.js';
import type { Submission } from '../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { AppleApp, BetaGroup } from '../api/apple-resources.js';
import { buildOf, type Connect, type TestFlightRun } from '../apple-state.js';
import { normalizedVersion } from '../apple-version.js';
import { appMissing, groupMissing, groupTwice, otherBundleId } from '../refusals/own-refusals.js';
import { toBetaNotes } from '../release-notes.js';
import { chooseBuild } from './builds.js';

const RULE = 'App Store Connect gets one upload of a build number at a time.';

/**
 * Compares the submission with App Store Connect before anything is uploaded, and takes the turn of its build number. Goes on
 * with a build that is there already, or with an upload.
 */
export async function check(run: TestFlightRun, connect: Connect): Promise<void> {
  const { submission, state } = run;
  const { client, beginning, defaultLanguage } = await connect.accounts.withClient(run);
  if (state.appleAppId !== undefined) await run.waitForTurn(turnOf(submission, state.appleAppId), RULE);
  if (run.isFirst) await run.log(`Submitting ${nameOf(submission)} to App Store Connect.`);
  const app = await findApp(client, beginning.wantedAppId, submission.packageName);
  const groups = await groupsOf(client, app.id, submission.betaGroups);
  const locales = submission.releaseNotes === null ? [] : await client.appLocales(app.id);
  toBetaNotes(submission.releaseNotes, { known: locales, fallback: defaultLanguage ?? app.primaryLocale });
  if (state.appleAppId === undefined) await run.log(...linesAbout(app, groups));
  await run.keep({
    ...beginning,
    appleAppId: app.id,
    primaryLocale: app.primaryLocale,
    locales,
    groups,
  });
  await run.takeTurn(turnOf(submission, app.id), RULE);
  await chooseBuild(run, connect, client);
}

async function findApp(
  client: AppStoreConnectClient,
  wantedAppId: string | null,
  packageName: string,
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
