/** What `attemptNote` begins with. */
export const ATTEMPT_NOTE = 'The runner was lost. Attempt ';

/** The line of Slipway between two attempts. @param attempt the one that follows */
export function attemptNote(attempt: number): string {
  return `${ATTEMPT_NOTE}${attempt} follows.`;
}

/** The last line of a log that has reached its limit. @param limit in bytes */
export function tooLongNote(limit: number): string {
  return `The log is longer than ${limit.toLocaleString('en')} bytes. The rest is not kept.`;
}

/** Recognizes `tooLongNote`. */
export function isTooLongNote(line: string): boolean {
  return /^The log is longer than [\d,]{1,30} bytes\. The rest is not kept\.$/.test(line);
}

/** Begins what Slipway advises at the end of a log: nothing else in a log and in a summary reads so. */
export const ADVICE_HEADING = 'What to do:';

/** The line before a failure summary in a log. Builds cannot print it: runners escape its first character. */
export const SUMMARY_NOTE =
  '§ Slipway explains the failure. No line that a build prints begins like this one.';

/** The heading in any case, also in colors. */
const heading = new RegExp([...ADVICE_HEADING].join(String.raw`(?:\x1b\[[\d;:]{0,64}m)*`), 'gi');

/** A text of a build in which nothing reads as the heading. */
export function withoutHeading(text: string): string {
  return text.replaceAll(heading, (found) => String.raw`${found.slice(0, -1)}\u003a`);
}
