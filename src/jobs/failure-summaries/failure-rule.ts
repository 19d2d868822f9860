/** What is known of a job that has failed. */
export interface JobFailure {
  /** The step that failed, as its runner calls it. */
  readonly step: string | null;
  /** What its runner, or Slipway, says about it. */
  readonly message: string | null;
  /** The end of its log: see `readLogEnd`. */
  readonly lines: readonly string[];
  readonly isTimedOut: boolean;
  /** Whether it submits to a store, whose refusals have finished sentences. */
  readonly isSubmission: boolean;
}

/** Why a job has failed. */
export interface Diagnosis {
  /** What happened, in a sentence. */
  readonly cause: string;
  /** The lines of the log that show it. */
  readonly lines: readonly string[];
  /** What to do, in sentences. */
  readonly advice: readonly string[];
}

/**
 * Recognizes one kind of failure by the log. Expressions see lines of at most 500 characters that a repository chose, so
 * their time must grow with the length only: begin them with `^` or a fixed text, and repeat nothing that is repeated.
 */
export interface FailureRule {
  /** Unique, such as `npm-conflict`. */
  readonly name: string;
  /** The line that this failure, and no other, prints. */
  readonly mark: RegExp;
  /** A line near the mark; its first group is what the cause is about. By default, the first group of the mark is. */
  readonly detail?: RegExp;
  /** @param detail `undefined`: the log does not say it */
  readonly cause: (detail: string | undefined) => string;
  /** Lines to show besides the mark: those around it that match, or as many as follow. */
  readonly shows?: RegExp | number;
  readonly advice: readonly string[] | ((detail: string | undefined) => readonly string[]);
  /** Whether it says little, such as that a script has failed: any other rule that applies near it knows more. */
  readonly isGeneral?: boolean;
  /** Lines before a general failure in which others know more: 60 by default. xcodebuild continues after an error. */
  readonly reach?: number;
}
