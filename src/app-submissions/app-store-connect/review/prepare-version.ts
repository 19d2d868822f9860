import { reviewKey } from '../../flow/store-turns.service.js';
import type { Submission } from '../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { AppVersion, VersionLocalization, VersionSettings } from '../api/app-store-resources.js';
import { versionPage } from '../apple-pages.js';
import { buildOf, type Connect, type ReviewRun } from '../apple-state.js';
import { isSameVersion } from '../apple-version.js';
import { isDone, isNotFound, lookAgain } from '../lost-response.js';
import { severalVersions, trainClosed, versionApproved, versionInReview } from '../refusals/own-refusals.js';
import { versionTexts } from '../release-notes.js';
import { chooseVersion, isFirstVersion } from './choose-version.js';
import { freeVersion, reviewOf, takeOutOfReview, waitForRoom } from './review-room.js';

const RULE = 'the App Store takes one version of an app to the review at a time.';
/** Locales that one run writes; the next one continues. */
const MAX_WRITES = 10;

const RELEASE_TYPES = {
  manual: 'MANUAL',
  'after-approval': 'AFTER_APPROVAL',
  scheduled: 'SCHEDULED',
} as const;

/**
 * Finds or makes the version of the build in the App Store, when its turn has come. The turn of the upload was given back when
 * Apple had the file.
 */
export async function prepareVersion(run: ReviewRun, { accounts }: Connect): Promise<void> {
  const { submission } = run;
  const { platform, version: wanted } = buildOf(submission);
  const appleAppId = run.reached('appleAppId');
  await run.takeTurn(reviewKey(appleAppId, platform), RULE);
  const client = await accounts.clientOf(run);
  const versions = await client.appStore.versions(appleAppId, platform);
  const link = versionPage(appleAppId, platform);
  const choice = chooseVersion(versions, { version: wanted, buildId: run.reached('buildId') });
  await begin(run, isFirstVersion(versions));
  switch (choice.kind) {
    case 'submitted':
      return adopt(run, client, choice.version);
    case 'approved':
      throw versionApproved(choice.version, link);
    case 'closed':
      throw trainClosed(wanted, choice.closing);
    case 'several':
      throw severalVersions(choice.versions, link);
    case 'in-review':
      if (!submission.rejectsIfPossible) throw versionInReview(choice.version, link);
      return takeOutOfReview(run, client, choice.version);
    case 'use':
      await freeVersion(run, client, choice.version);
      return use(run, client, choice.version);
    case 'create':
      return create(run, client);
  }
}

/** Puts the build into its version, and says whether users get it over seven days. */
export async function attachBuild(run: ReviewRun, { accounts }: Connect): Promise<void> {
  const client = await accounts.clientOf(run);
  const version = await client.appStore.version(run.reached('versionId'));
  const buildId = run.reached('buildId');
  if (version.buildId !== buildId) {
    await client.appStore.attachBuild(version.id, buildId);
    await run.log('The version has the build.');
  }
  await setPhases(run, client, version);
}

/** Writes the release notes into What's New of the version, in each language that it has. */
export async function writeWhatsNew(run: ReviewRun, { accounts }: Connect): Promise<void> {
  const { releaseNotes } = run.submission;
  if (releaseNotes === null) return;
  const { isFirstVersion, primaryLocale = null, writtenTexts = [] } = run.state;
  if (isFirstVersion === true)
    return run.log(
      "The first version of an app has no What's New, so the release notes are for testers only.",
    );
  const { defaultLanguage, client } = await accounts.withClient(run);
  const present = await client.appStore.localizations(run.reached('versionId'));
  const { texts, unknown } = versionTexts(
    releaseNotes,
    present.map(({ locale }) => locale),
    defaultLanguage ?? primaryLocale,
  );
  // Apple may keep a text in another form than it was sent, so each is written once.
  const missing = present.filter((one) => !writtenTexts.includes(one.locale) && differs(one, texts));
  if (missing.length === 0) return run.log(...linesAbout(texts, unknown));
  const written = [...writtenTexts];
  for (const { id, locale } of missing.slice(0, MAX_WRITES)) {
    try {
      await client.appStore.updateWhatsNew(id, texts.get(locale) ?? '');
    } catch (error) {
      if (!isDone(error)) throw error;
      return run.explain(error);
    }
    written.push(locale);
    await run.keep({ writtenTexts: [...written] });
  }
  return run.giveWay();
}

/** What was sent until now is in TestFlight. Until the review begins, the submission can be canceled again. */
async function begin(run: ReviewRun, isFirst: boolean): Promise<void> {
  if (run.state.isFirstVersion === isFirst && run.submission.commitSentAt === null) return;
  await run.keep({ isFirstVersion: isFirst }, { commitSentAt: null });
}

/** Goes on with a review that has begun, such as that of another destination, or after a lost answer. */
async function adopt(run: ReviewRun, client: AppStoreConnectClient, version: AppVersion): Promise<never> {
  await run.log('This very build is in the review of the App Store already, so nothing is sent again.');
  const review = await reviewOf(run, client, version.id);
  if (review === null) return waitForRoom(run);
  await run.keep({ versionId: version.id, reviewSubmissionId: review.id });
  return run.goOn('submit-review');
}

/** Goes on with a version that App Store Connect has: it takes no second one. */
async function use(run: ReviewRun, client: AppStoreConnectClient, version: AppVersion): Promise<void> {
  const changes = changesOf(version, settingsOf(run.submission));
  if (changes.versionString !== undefined)
    await run.log(
      `App Store Connect has the version ${version.versionString} that was not released. It becomes ${changes.versionString}, and keeps its texts and pictures.`,
    );
  if (Object.keys(changes).length > 0) await client.appStore.updateVersion(version.id, changes);
  await keepVersion(run, version.id);
}

/** Makes a version. After a lost answer, it is in the list. */
async function create(run: ReviewRun, client: AppStoreConnectClient): Promise<void> {
  const { submission } = run;
  const { hasBegunVersion = false } = run.state;
  await run.keep({ hasBegunVersion: true });
  const { platform } = buildOf(submission);
  let versionId: string;
  try {
    const appleAppId = run.reached('appleAppId');
    versionId = await client.appStore.createVersion(appleAppId, platform, settingsOf(submission));
  } catch (error) {
    const line = 'App Store Connect may have the version of an attempt whose answer was lost.';
    return lookAgain(run, error, { isRepeated: hasBegunVersion, line });
  }
  await keepVersion(run, versionId);
}

async function keepVersion(run: ReviewRun, versionId: string): Promise<void> {
  await run.log(`Preparing the version ${buildOf(run.submission).version} for the App Store.`);
  await run.keep({ versionId });
}

function settingsOf(submission: Submission): VersionSettings {
  const { appleReleaseType, earliestReleaseAt } = submission;
  const releaseType = RELEASE_TYPES[appleReleaseType ?? 'manual'];
  return {
    versionString: buildOf(submission).version,
    releaseType,
    earliestReleaseDate: releaseType === 'SCHEDULED' ? earliestReleaseAt : null,
  };
}

/** What differs. Apple keeps the spelling of a version that came first. */
function changesOf(present: AppVersion, wanted: VersionSettings): Partial<VersionSettings> {
  const { versionString, releaseType, earliestReleaseDate } = wanted;
  const isScheduled = earliestReleaseDate !== null;
  const hasDate = present.earliestReleaseDate?.getTime() === earliestReleaseDate?.getTime();
  const isReleasedSo = present.releaseType === releaseType && (!isScheduled || hasDate);
  return {
    ...(!isSameVersion(present.versionString, versionString) && { versionString }),
    ...(!isReleasedSo && { releaseType, earliestReleaseDate }),
  };
}

async function setPhases(
  run: ReviewRun,
  client: AppStoreConnectClient,
  { id, phasedRelease }: AppVersion,
): Promise<void> {
  const { isPhased } = run.submission;
  if (isPhased && run.state.isFirstVersion === true)
    return run.log('The first version of an app has no phased release: all users get it at once.');
  if (isPhased === (phasedRelease !== null)) return;
  try {
    await (phasedRelease === null
      ? client.appStore.createPhasedRelease(id)
      : client.appStore.deletePhasedRelease(phasedRelease.id));
  } catch (error) {
    // Another attempt, whose answer was lost, has done it.
    if (!isDone(error) && (isPhased || !isNotFound(error))) throw error;
    await run.quote(error);
  }
  await run.log(
    isPhased
      ? 'Users will get the version over seven days, from its release on.'
      : 'The phased release that the version had is removed: all users will get it at once.',
  );
}

function differs({ locale, whatsNew }: VersionLocalization, texts: ReadonlyMap<string, string>): boolean {
  const text = texts.get(locale);
  return text !== undefined && text !== whatsNew;
}

function linesAbout(texts: ReadonlyMap<string, string>, unknown: readonly string[]): string[] {
  return [
    ...(texts.size === 0 ? [] : [`What's New: ${[...texts.keys()].join(', ')}.`]),
    ...(unknown.length === 0
      ? []
      : [
          `The version has no texts in ${unknown.join(', ')}, so these notes are for testers only. Add the language in App Store Connect to use them.`,
        ]),
  ];
}
