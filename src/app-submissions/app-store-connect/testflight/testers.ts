import type { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import type { BetaGroup, BetaLocalization } from '../api/apple-resources.js';
import { type Connect, linkOf, type TestFlightRun } from '../apple-state.js';
import { lookAtBuild } from '../changes/look-at-release.js';
import { isDone, isNotFound } from '../lost-response.js';
import {
  betaRejected,
  complianceLost,
  complianceMissing,
  documentsInReview,
  documentsMissing,
  groupMissing,
  otherCompliance,
} from '../refusals/own-refusals.js';
import { toBetaNotes } from '../release-notes.js';
import { reject } from './builds.js';

/** How often the answer about encryption is looked for: Apple takes a moment. */
const MAX_LOOKS = 6;
const LOOK_AFTER = 10;
/** Locales that one run writes; the next one continues. */
const MAX_WRITES = 10;
/** Groups that a message names; it says how many more there are. */
const MAX_NAMES = 5;

/** Answers whether the build uses encryption that is not exempt. Apple takes one answer, which Info.plist may have given. */
export async function answerCompliance(run: TestFlightRun, { accounts }: Connect): Promise<void> {
  const { submission } = run;
  const { usesNonExemptEncryption: wanted } = submission;
  if (wanted === null) throw complianceMissing();
  const client = await accounts.clientOf(run);
  const { usesNonExemptEncryption: found } = await client.build(run.reached('buildId'));
  if (found === null) return answer(run, client, wanted);
  if (found !== wanted) return reject(run, otherCompliance(found));
  // What Apple makes of the answer.
  const { internalState } = await client.buildBetaDetail(run.reached('buildId'));
  if (internalState === 'IN_EXPORT_COMPLIANCE_REVIEW') throw documentsInReview(linkOf(submission));
  if (internalState !== 'MISSING_EXPORT_COMPLIANCE') return;
  await countLook(run, wanted ? documentsMissing(linkOf(submission)) : complianceLost(linkOf(submission)));
  return run.giveWay(LOOK_AFTER);
}

async function answer(run: TestFlightRun, client: AppStoreConnectClient, wanted: boolean): Promise<never> {
  await countLook(run, complianceLost(linkOf(run.submission)));
  await run.log(
    `Answering Apple that the build uses ${wanted ? 'encryption' : 'no encryption'} that is not exempt.`,
  );
  try {
    await client.answerCompliance(run.reached('buildId'), wanted);
  } catch (error) {
    // It has been answered in the meantime: the next look shows how.
    if (!isDone(error)) throw error;
    await run.quote(error);
  }
  return run.giveWay(1);
}

/** @throws StoreRefusal `tooOften` */
async function countLook(run: TestFlightRun, tooOften: StoreRefusal): Promise<void> {
  const { complianceLooks = 0 } = run.state;
  if (complianceLooks >= MAX_LOOKS) throw tooOften;
  await run.keep({ complianceLooks: complianceLooks + 1 });
}

/** Writes the release notes for testers, each where App Store Connect has another text. */
export async function writeNotes(run: TestFlightRun, { accounts }: Connect): Promise<void> {
  const { releaseNotes } = run.submission;
  if (releaseNotes === null) return;
  const { defaultLanguage, client } = await accounts.withClient(run);
  const { locales = [], primaryLocale = null, writtenNotes = [] } = run.state;
  const present = await client.betaLocalizations(run.reached('buildId'));
  const notes = toBetaNotes(releaseNotes, {
    known: [...locales, ...present.map(({ locale }) => locale)],
    fallback: defaultLanguage ?? primaryLocale,
  });
  // Apple may keep a text in another form than it was sent, so each is written once.
  const missing = [...notes].filter(
    ([locale, text]) => textOf(present, locale) !== text && !writtenNotes.includes(locale),
  );
  if (missing.length === 0) {
    if (notes.size > 0) await run.log(`Notes for testers: ${[...notes.keys()].join(', ')}.`);
    return;
  }
  const written = [...writtenNotes];
  for (const [locale, text] of missing.slice(0, MAX_WRITES)) {
    const isKept = await writeNote(run, client, present, locale, text);
    if (!isKept) return;
    written.push(locale);
    await run.keep({ writtenNotes: [...written] });
  }
  return run.giveWay();
}

/** @returns whether App Store Connect takes notes now */
async function writeNote(
  run: TestFlightRun,
  client: AppStoreConnectClient,
  present: readonly BetaLocalization[],
  locale: string,
  text: string,
): Promise<boolean> {
  const known = present.find((one) => one.locale === locale);
  try {
    await (known === undefined
      ? client.createBetaLocalization(run.reached('buildId'), locale, text)
      : client.updateBetaLocalization(known.id, text));
    return true;
  } catch (error) {
    if (!isDone(error)) throw error;
    await run.log('App Store Connect takes no notes for this build now, so it gets none.');
    await run.quote(error);
    return false;
  }
}

/** Sends the build to Apple's beta review, because external groups get it. */
export async function sendToBetaReview(run: TestFlightRun, { accounts }: Connect): Promise<void> {
  const client = await accounts.clientOf(run);
  const reviewState = await betaReviewOf(run, client);
  if (reviewState === 'REJECTED') return reject(run, betaRejected(linkOf(run.submission)));
  await run.keep({ reviewState });
}

/** The state of the beta review, which begins when there is none. */
async function betaReviewOf(run: TestFlightRun, client: AppStoreConnectClient): Promise<string> {
  const buildId = run.reached('buildId');
  const before = await client.betaReviewState(buildId);
  if (before !== null) {
    await run.log(`Apple's beta review of this build: ${before.slice(0, 60)}.`);
    return before;
  }
  try {
    await client.submitForBetaReview(buildId);
  } catch (error) {
    if (!isDone(error)) throw error;
    await run.quote(error);
    const present = await client.betaReviewState(buildId);
    if (present === null) throw error;
    return present;
  }
  await run.log(
    "Sent the build to Apple's beta review. External testers get it when Apple approves it, often within a day.",
  );
  return 'WAITING_FOR_REVIEW';
}

/** Gives the build to groups that do not have it yet. */
export async function giveToGroups(
  run: TestFlightRun,
  { accounts }: Connect,
  groups: readonly BetaGroup[],
): Promise<void> {
  const client = await accounts.clientOf(run);
  for (const group of groups) {
    const { doneGroups = [] } = run.state;
    if (doneGroups.includes(group.id)) continue;
    await run.log(await giveToGroup(run, client, group));
    await run.keep({ doneGroups: [...doneGroups, group.id] });
  }
}

/** Gives the build to all groups, which ends a submission that goes to testers only. */
export async function giveToAllGroups(run: TestFlightRun, connect: Connect): Promise<void> {
  const { submission } = run;
  const { groups = [], reviewState } = run.state;
  await giveToGroups(run, connect, groups);
  const message = doneMessage(groups, reviewState);
  await run.log(message);
  if (submission.submitsForReview) return;
  const release = await lookAtBuild(await connect.accounts.clientOf(run), submission);
  return run.done({ state: 'prepared', message, link: linkOf(submission), release });
}

/** What came of a submission. @param reviewState of Apple's beta review; absent: the build needs none */
export function doneMessage(groups: readonly BetaGroup[], reviewState: string | undefined): string {
  if (groups.length === 0) {
    return 'The build is in TestFlight. The destination names no groups, so only groups with access to all builds have it.';
  }
  const names = groups.slice(0, MAX_NAMES).map(({ name }) => name.slice(0, 30));
  const more = groups.length - names.length;
  const list = [names.join(', '), ...(more > 0 ? [`${more} more`] : [])].join(' and ');
  const where = `The build is in TestFlight for ${groups.length === 1 ? 'the group' : 'the groups'} ${list}.`;
  if (reviewState === undefined) return where;
  if (reviewState === 'APPROVED') return `${where} Apple's beta review has approved it.`;
  return `${where} External testers get it after Apple's beta review.`;
}

/** @returns a line of the log */
async function giveToGroup(
  run: TestFlightRun,
  client: AppStoreConnectClient,
  group: BetaGroup,
): Promise<string> {
  const hasAll = `The group ${group.name} gets every build by itself.`;
  if (group.hasAccessToAllBuilds) return hasAll;
  try {
    // Once more after a lost answer is the same.
    await client.addToGroup(group.id, run.reached('buildId'));
  } catch (error) {
    if (isNotFound(error)) await requireGroup(client, run.reached('appleAppId'), group);
    if (!isDone(error)) throw error;
    await run.quote(error);
    return hasAll;
  }
  return `The group ${group.name} has the build.`;
}

/** What is not found may be a fresh build, or a group that was deleted. @throws StoreRefusal when it is the group */
async function requireGroup(
  client: AppStoreConnectClient,
  appleAppId: string,
  { id, name }: BetaGroup,
): Promise<void> {
  const known = await client.betaGroups(appleAppId);
  if (known.some((one) => one.id === id)) return;
  throw groupMissing(
    name,
    known.map((one) => one.name),
  );
}

function textOf(present: readonly BetaLocalization[], locale: string): string | null {
  return present.find((one) => one.locale === locale)?.whatsNew ?? null;
}
