import type { Diagnosis, JobFailure } from './failure-rule.js';
import { failureRules } from './failure-rules.js';
import { findFailure } from './find-failure.js';
import { describeExitCode, describeJobFailure } from './job-failures.js';
import { lastErrors, adviceFor } from './last-errors.js';
import type { LogEnd } from './log-end.js';
import { toText } from './log-end.js';
import { ADVICE_HEADING, withoutHeading } from '../job-logs/log-notes.js';

/** Longest summary, in characters. */
export const MAX_SUMMARY = 2000;
const MAX_CAUSE = 400;
const MAX_LINE = 160;
/** Characters of all lines of the log. */
const MAX_LINES = 1000;
const MAX_STEP = 60;

/** What a summary is made of. */
export interface SummaryInput extends LogEnd {
  /** The step that failed, as its runner calls it. */
  readonly step: string | null;
  /** What its runner, or Slipway, says about it. */
  readonly message: string | null;
  /** Whether the job has timed out. */
  readonly isTimedOut?: boolean;
  /** Whether it submits to a store. */
  readonly isSubmission?: boolean;
}

/**
 * Says in a few lines of text which step failed, why, and what to do.
 *
 * @param mask replaces secrets
 * @returns plain text of at most `MAX_SUMMARY` characters
 */
export function summarize(input: SummaryInput, mask: (text: string) => string): string {
  const failure: JobFailure = {
    step: input.step,
    message: input.message === null ? null : toText(input.message.replaceAll(/\s+/g, ' ')),
    lines: input.lines,
    isTimedOut: input.isTimedOut ?? false,
    isSubmission: input.isSubmission ?? false,
  };
  const { cause, lines, advice } = diagnose(failure);
  const shown = shorten(lines, mask);
  const parts = [
    // Both can hold what a build says.
    withoutHeading(`${stepSentence(failure, mask)} ${cut(mask(cause.replaceAll(/ {2,}/g, ' ')), MAX_CAUSE)}`),
    ...(shown.length === 0 ? [] : [`Log:\n${shown.map((line) => `  ${line}`).join('\n')}`]),
    ...(input.isCut
      ? ['The log was too long, so its last lines were not kept. Print less to see them.']
      : []),
    `${ADVICE_HEADING}\n${advice.map((sentence) => `- ${sentence}`).join('\n')}`,
  ];
  return cut(parts.join('\n\n'), MAX_SUMMARY);
}

function diagnose(failure: JobFailure): Diagnosis {
  const known =
    describeJobFailure(failure) ?? findFailure(failureRules, failure.lines) ?? describeExitCode(failure);
  if (known !== null) return known;
  return {
    cause: failure.message ?? 'Slipway does not know why.',
    lines: lastErrors(failure),
    advice: adviceFor(failure.step),
  };
}

function stepSentence({ step, isTimedOut }: JobFailure, mask: (text: string) => string): string {
  if (isTimedOut) return 'The job has timed out.';
  const name = step === null ? '' : cut(mask(toText(step)), MAX_STEP);
  return name === '' ? 'The job failed.' : `The step "${name}" failed.`;
}

/** Lines that fit: masked first, so that no cut hides the rest of a secret from the search. */
function shorten(lines: readonly string[], mask: (text: string) => string): string[] {
  const shown: string[] = [];
  let left = MAX_LINES;
  for (const line of lines) {
    const text = cut(withoutHeading(mask(line)).replace(/^ {5,}/, '    '), MAX_LINE);
    if (text.length > left) break;
    left -= text.length;
    shown.push(text);
  }
  return shown;
}

function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
