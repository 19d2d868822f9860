/** The line of Slipway between two attempts. @param attempt the one that follows */
export function attemptNote(attempt: number): string {
  return `The runner was lost. Attempt ${attempt} follows.`;
}

/** The last line of a log that has reached its limit. @param limit in bytes */
export function tooLongNote(limit: number): string {
  return `The log is longer than ${limit.toLocaleString('en')} bytes. The rest is not kept.`;
}

/** Recognizes `tooLongNote`. */
export function isTooLongNote(line: string): boolean {
  return /^The log is longer than [\d,]{1,30} bytes\. The rest is not kept\.$/.test(line);
}
