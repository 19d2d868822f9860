import { refused } from '../calls/refusals/refusal.js';
import { nearMiss, storeText } from '../calls/store-text.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { NewPlayRelease, PlayRelease, ReleaseSummary } from './api/google-play-responses.js';

type Wanted = Pick<Submission, 'versionCode' | 'releaseStatus' | 'userFraction'>;

/** The release that a submission makes. */
export function releaseOf(
  submission: Wanted & Pick<Submission, 'inAppUpdatePriority'>,
  { notes }: PlayNotes,
): NewPlayRelease {
  const { inAppUpdatePriority, userFraction } = submission;
  const status = statusOf(submission);
  return {
    versionCodes: [codeOf(submission)],
    status,
    ...(status === 'inProgress' && { userFraction }),
    ...(notes.length > 0 && { releaseNotes: notes }),
    ...(inAppUpdatePriority !== null && { inAppUpdatePriority }),
  };
}

/** A draft has no users yet, and so no share of them. */
function statusOf({ releaseStatus, userFraction }: Wanted): 'draft' | 'inProgress' | 'completed' {
  if (releaseStatus !== 'completed') return 'draft';
  return userFraction < 1 ? 'inProgress' : 'completed';
}

/** @throws StoreRefusal */
export function codeOf({ versionCode }: Pick<Submission, 'versionCode'>): number {
  const code = Number(versionCode);
  if (Number.isSafeInteger(code) && code > 0) return code;
  throw refused(
    'version_code_invalid',
    `Google Play takes no version code such as "${versionCode.slice(0, 20)}". Set versionCode to a whole number above 0, build again and submit that build.`,
  );
}

/** The type of the file. @throws StoreRefusal when Google Play takes no such files */
export function playArtifactType({ artifactType }: Submission): 'aab' | 'apk' {
  if (artifactType !== 'ipa') return artifactType;
  throw refused('artifact_wrong_type', 'Google Play takes no ipa files. Submit a build for Android.');
}

/** Whether the track has the release as the submission wants it. */
export function isReleased(submission: Wanted, releases: readonly PlayRelease[]): boolean {
  const status = statusOf(submission);
  return releases.some(
    (release) =>
      release.versionCodes.includes(codeOf(submission)) &&
      release.status === status &&
      (status !== 'inProgress' || Math.abs((release.userFraction ?? 1) - submission.userFraction) < 1e-6),
  );
}

/**
 * The release of the version that users have and the submission would take from some: with a draft in its place, or a lower
 * share. A completed one cannot become a staged one: Google Play refuses that.
 */
export function findAhead(submission: Wanted, releases: readonly PlayRelease[]): PlayRelease | null {
  const wanted = statusOf(submission);
  const found = releases.find(({ versionCodes, status, userFraction }) => {
    if (!versionCodes.includes(codeOf(submission)) || status === null || status === 'draft') return false;
    if (wanted === 'draft') return true;
    return wanted === 'inProgress' && userFraction !== null && userFraction > submission.userFraction + 1e-6;
  });
  return found ?? null;
}

const NOT_SENT = 'NOT_SENT_FOR_REVIEW';

/** Whether a track shows the release, which no edit is needed for. Its share of users does not show. */
export function isShown(submission: Wanted, releases: readonly ReleaseSummary[]): boolean {
  const wantsDraft = statusOf(submission) === 'draft';
  return shownOf(submission, releases).some(({ state }) => wantsDraft === (state === 'DRAFT'));
}

/** Whether a person still has to send the release for review. */
export function isNotSent(submission: Wanted, releases: readonly ReleaseSummary[]): boolean {
  return shownOf(submission, releases).some(({ state }) => state === NOT_SENT);
}

function shownOf(submission: Wanted, releases: readonly ReleaseSummary[]): ReleaseSummary[] {
  return releases.filter(({ versionCodes }) => versionCodes.includes(codeOf(submission)));
}

/** The highest version code that users of the track have or get; `null`: there is none. */
export function highestCode(releases: readonly ReleaseSummary[]): number | null {
  const codes = releases
    .filter(
      ({ state }) => state === 'PUBLISHED' || state === 'IN_REVIEW' || state === 'APPROVED_NOT_PUBLISHED',
    )
    .flatMap(({ versionCodes }) => versionCodes);
  return codes.length === 0 ? null : Math.max(...codes);
}

/** Code points of the notes of one locale. Google names the number, but not the unit. */
const MAX_LENGTH = 500;

/** The notes of a release, and the languages of the listing that get none. */
export interface PlayNotes {
  readonly notes: NonNullable<NewPlayRelease['releaseNotes']>;
  readonly missing: readonly string[];
}

/**
 * Notes by language, in the spelling of the store listing, as `storeText` makes them.
 *
 * @param given by locale; `default` is for the default language, unless that one has notes
 * @param languages of the listing
 * @throws StoreRefusal when a locale is not in the listing, twice in the notes, or its text too long
 */
export function toPlayNotes(
  given: Readonly<Record<string, string>> | null,
  defaultLanguage: string | null,
  languages: readonly string[],
): PlayNotes {
  const known = new Map(languages.map((language) => [keyOf(language), language]));
  const texts = new Map<string, string>();
  for (const [locale, words] of Object.entries(given ?? {})) {
    const text = storeText(words);
    if (locale === 'default' || text === '') continue;
    const language = languageOf(locale, known);
    if (texts.has(language)) throw twice(language);
    texts.set(language, text);
  }
  const fallback = storeText(given?.default ?? '');
  if (fallback !== '') {
    if (defaultLanguage === null) throw withoutDefault();
    const language = languageOf(defaultLanguage, known);
    if (!texts.has(language)) texts.set(language, fallback);
  }
  for (const [language, text] of texts) if ([...text].length > MAX_LENGTH) throw tooLong(language);
  return {
    notes: [...texts].map(([language, text]) => ({ language, text })),
    missing: languages.filter((language) => !texts.has(language)),
  };
}

function keyOf(locale: string): string {
  return locale.replaceAll('_', '-').toLowerCase();
}

function languageOf(locale: string, known: ReadonlyMap<string, string>): string {
  const language = known.get(keyOf(locale));
  if (language !== undefined) return language;
  const listed = [...known.values()];
  const names = listed.join(', ').slice(0, 80);
  const has = nearMiss(locale, listed) ?? `it has ${names === '' ? 'none' : names}`;
  throw refused(
    'language_not_listed',
    `The release notes are in ${locale.slice(0, 20)}, which the store listing does not have (${has}). Add the language to the listing in the Play Console, or leave these notes out; then submit again.`,
    { retry: 'after-action' },
  );
}

function twice(language: string): Error {
  return refused(
    'release_notes_ambiguous',
    `The release notes have two texts for ${language}. Leave one out and submit again.`,
  );
}

function withoutDefault(): Error {
  return refused(
    'default_language_unknown',
    'Google Play names no default language of the app. Set defaultLanguage of the destination, or give the notes by locale; then submit again.',
  );
}

function tooLong(language: string): Error {
  return refused(
    'release_notes_too_long',
    `The release notes in ${language} are longer than ${MAX_LENGTH} characters. Shorten them and submit again; a retry with the same notes does not help.`,
  );
}
