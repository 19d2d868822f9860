import type { Refusal } from '../../calls/refusals/refusal.js';
import { CONNECT_APPS } from '../apple-pages.js';
import type { AppleError } from './apple-error.js';
import type { AppleCall } from './apple-refusal-row.js';

/** What a version lacks for the review, as an error shows it: all errors of one refusal make one sentence. */
export interface ReviewNeed {
  /** The code of the error is one of these, or begins with it and a dot. */
  readonly codes: readonly string[];
  /** The resource or the member that the error is about begins so; absent: any. */
  readonly about?: string;
  /** What to do. @param names members or sizes that errors of this kind name, with commas; empty: none */
  readonly act: (names: string) => string;
}

/** The calls that say what is missing. */
export const REVIEW_NEED_CALLS: readonly AppleCall[] = ['add-item', 'submit-review'];

const MAX_SENTENCE = 255;
const MAX_NAMES = 60;
const REQUIRED = 'ENTITY_ERROR.ATTRIBUTE.REQUIRED';

/** In the order of the search: what is specific comes first. */
export const REVIEW_NEEDS: readonly ReviewNeed[] = [
  {
    codes: ['STATE_ERROR.APP_DATA_USAGES_REQUIRED'],
    act: () => 'publish App Privacy (Apple has no API for it)',
  },
  {
    codes: ['STATE_ERROR.SCREENSHOT_REQUIRED'],
    act: (sizes) => `add screenshots${sizes === '' ? '' : ` for ${sizes}`}`,
  },
  { codes: [REQUIRED], about: 'ageRatingDeclarations', act: () => 'answer the questions on the age rating' },
  { codes: ['STATE_ERROR.APP_PRICING_REQUIRED'], act: () => 'set a price' },
  {
    codes: [REQUIRED],
    about: 'contact',
    act: (names) => `fill in the contact for the review${names === '' ? '' : ` (${names})`}`,
  },
  {
    codes: [REQUIRED],
    about: 'usesNonExemptEncryption',
    act: () => 'answer the question on encryption under TestFlight',
  },
  {
    codes: ['ENTITY_ERROR.RELATIONSHIP.REQUIRED'],
    about: 'primaryCategory',
    act: () => 'choose a primary category',
  },
  { codes: [REQUIRED], about: 'whatsNew', act: () => "give release notes for What's New of each language" },
  {
    codes: [REQUIRED, 'ENTITY_ERROR.RELATIONSHIP.REQUIRED'],
    act: (names) => `fill in ${names === '' ? 'what is required' : names}`,
  },
];

/** What the errors of a refusal say is missing, in one sentence; `null`: nothing of `REVIEW_NEEDS`. */
export function findReviewNeeds(errors: readonly AppleError[]): Refusal | null {
  const found = new Map<ReviewNeed, AppleError[]>();
  const others: AppleError[] = [];
  for (const error of errors) {
    const need = REVIEW_NEEDS.find((one) => isAbout(one, error));
    if (need !== undefined) found.set(need, [...(found.get(need) ?? []), error]);
    else if (!error.isUmbrella) others.push(error);
  }
  if (found.size === 0) return null;
  const acts = [...found].map(([{ act }, about]) => act(namesOf(about)));
  return {
    code: 'review_incomplete',
    sentence: sentenceOf(acts, new Set(others.map(({ code, words }) => `${code} ${words}`)).size),
    retry: 'after-action',
    link: CONNECT_APPS,
  };
}

/** @param more further problems, of other kinds */
function sentenceOf(acts: readonly string[], more: number): string {
  for (let shown = acts.length; ; shown--) {
    const hidden = acts.length - shown + more;
    const rest = hidden === 0 ? '' : `; and ${hidden} more, which the log has`;
    const sentence = `The version is not complete. In App Store Connect, ${acts.slice(0, shown).join('; ')}${rest}. Then submit this build again: nothing is uploaded twice.`;
    if (sentence.length <= MAX_SENTENCE || shown <= 1) return sentence;
  }
}

function isAbout({ codes, about }: ReviewNeed, { code, path, pointer, words }: AppleError): boolean {
  if (!codes.some((one) => code === one || code.startsWith(`${one}.`))) return false;
  if (about === undefined) return true;
  const members = [...path.split('/'), ...pointer.split('/'), attributeIn(words) ?? ''];
  return members.some((member) => member.startsWith(about));
}

/** The members or sizes that errors name. */
function namesOf(errors: readonly AppleError[]): string {
  const names = errors.map(({ code, pointer, words }) => {
    const [, size] = /SCREENSHOT_REQUIRED\.(\w{1,40})$/.exec(code) ?? [];
    const [member] = /\w{1,40}$/.exec(pointer.includes('/data/') ? pointer : '') ?? [];
    return size ?? member ?? attributeIn(words);
  });
  const text = [...new Set(names.filter((name) => name !== null && name !== undefined))].join(', ');
  return text.length <= MAX_NAMES ? text : `${text.slice(0, MAX_NAMES - 1)}…`;
}

/** The attribute that a text names, as in "You must provide a value for the attribute 'whatsNew' with this request". */
function attributeIn(words: string): string | null {
  return /attribute '(\w{1,40})'/.exec(words)?.[1] ?? /value for '(\w{1,40})'/.exec(words)?.[1] ?? null;
}
