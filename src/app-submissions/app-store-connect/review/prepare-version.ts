import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { AppVersion, VersionLocalization } from '../api/responses/app-store-resources.js';
import { versionTexts } from './rules/version-texts.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { ReviewRun } from '../apple-state.js';
import type { Connect } from '../connect.js';

/** Locales that one run writes; the next one continues. */
const MAX_WRITES = 10;

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
    if (!(error instanceof StoreRefusal) || !isDone(error, isPhased)) throw error;
    await run.quote(error);
  }
  await run.log(
    isPhased
      ? 'Users will get the version over seven days, from its release on.'
      : 'The phased release that the version had is removed: all users will get it at once.',
  );
}

function isDone({ refusal, status }: StoreRefusal, isPhased: boolean): boolean {
  return refusal.does === 'done' || (!isPhased && status === 404);
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
      if (!(error instanceof StoreRefusal) || error.refusal.does !== 'done') throw error;
      return run.explain(error);
    }
    written.push(locale);
    await run.keep({ writtenTexts: [...written] });
  }
  return run.giveWay();
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
