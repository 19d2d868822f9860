import type { FinalJobStatus, JobStatus } from '../jobs/job.entity.js';
import type { JobLogStepDto, StepStatus } from './job-log-lines.dto.js';
import { ATTEMPT_NOTE, attemptNote, SUMMARY_NOTE } from './log-notes.js';

/** What lines of the runner begin with. */
export const RUNNER_MARK = '§ ';
/** Most steps of a log. */
const MAX_STEPS = 1000;
/** Longer lines of the runner are cut before they are read, in characters. */
export const MAX_MARK = 300;

/** Lines of the runner that are read of a chunk: it writes fewer than that to a whole log. */
export const MAX_MARKS = 100;

/** Begins a step: what it does, and the command. Some notes look like it, too. */
const beginning = /^([A-Z][a-z]*ing\b[^:]{0,80}): /;
/** Ends a step. The runner has measured it, in seconds. */
const ending = /^(.{1,100}) took (\d{1,6}(?:\.\d)?) s$/;
/** Follows a step that has failed. */
const failure = /^The command ".{0,250}" failed with exit code -?\d{1,10}\.$/;

/** A line that may begin or end a step. */
export interface LogMark {
  /** Its number in the log. */
  readonly line: number;
  /** At most `MAX_MARK` characters of it. */
  readonly text: string;
  /** When its chunk was received, ISO 8601. */
  readonly at: string;
  /** Whether the chunk has no other line. */
  readonly isAlone: boolean;
}

/** A step as far as the log says. */
export interface FoundStep {
  readonly name: string;
  readonly firstLine: number;
  /** `null`: no line has ended it. */
  lastLine: number | null;
  /** ISO 8601. */
  startedAt: string;
  endedAt: string | null;
  /** `null`: as the job. */
  status: 'succeeded' | 'failed' | null;
  readonly attempt: number;
}

/**
 * Finds the steps of a log in the lines of its runner. `Building: npm run build` begins one, and `Building took 3.2 s` ends
 * it. A step of which only the end is a line begins with the first line of the runner after the step before.
 */
export class StepFinder {
  readonly steps: FoundStep[] = [];
  private attempt = 1;
  /** The last one of `steps` has not ended. */
  private isOpen = false;
  /** The first line of the runner since a step has ended. */
  private first: LogMark | null = null;

  /** Reads the next line of those that `marksOf` finds. */
  add(mark: LogMark): void {
    if (mark.isAlone && mark.text === attemptNote(this.attempt + 1)) this.beginAttempt(mark);
    else if (mark.text === SUMMARY_NOTE) this.end(mark.line - 1, mark.at, null);
    else if (mark.text.startsWith(RUNNER_MARK)) this.read(mark, mark.text.slice(RUNNER_MARK.length));
  }

  private beginAttempt({ line, at }: LogMark): void {
    this.end(line - 1, at, 'failed');
    this.attempt++;
  }

  private read(mark: LogMark, text: string): void {
    const [, ended, seconds] = ending.exec(text) ?? [];
    if (ended !== undefined) {
      this.endNamed(mark, ended, Number(seconds));
      return;
    }
    if (failure.test(text)) this.fail(mark);
    this.first ??= mark;
    const [, begun] = beginning.exec(text) ?? [];
    if (begun !== undefined) this.begin(mark, begun);
  }

  private begin(mark: LogMark, name: string): void {
    // What looked like the beginning of a step was a note: no two run at the same time.
    if (this.isOpen) this.steps.pop();
    this.isOpen = this.push({ name, firstLine: mark.line, startedAt: mark.at, ...UNENDED });
  }

  private endNamed(mark: LogMark, name: string, seconds: number): void {
    const last = this.isOpen ? this.steps.at(-1) : undefined;
    if (last?.name !== name) {
      if (this.isOpen) this.steps.pop();
      const firstLine = (this.first ?? mark).line;
      this.isOpen = this.push({ name, firstLine, startedAt: mark.at, ...UNENDED });
    }
    const step = this.isOpen ? this.steps.at(-1) : undefined;
    if (step !== undefined) step.startedAt = new Date(Date.parse(mark.at) - seconds * 1000).toISOString();
    this.end(mark.line, mark.at, 'succeeded');
  }

  private fail(mark: LogMark): void {
    const last = this.steps.at(-1);
    if (this.isOpen || last?.attempt !== this.attempt) return;
    last.status = 'failed';
    last.lastLine = mark.line;
  }

  private end(line: number, at: string, status: FoundStep['status']): void {
    const last = this.isOpen ? this.steps.at(-1) : undefined;
    if (last !== undefined) {
      last.lastLine = Math.max(line, last.firstLine);
      last.endedAt = at;
      last.status = status;
    }
    this.isOpen = false;
    this.first = null;
  }

  private push(step: Omit<FoundStep, 'attempt'>): boolean {
    if (this.steps.length === MAX_STEPS) return false;
    this.steps.push({ ...step, attempt: this.attempt });
    return true;
  }
}

const UNENDED = { lastLine: null, endedAt: null, status: null };

/** The lines of a chunk that steps are read from. @param firstLine the number of its first line */
export function marksOf(payload: string, firstLine: number, at: string): LogMark[] {
  if (!payload.includes(RUNNER_MARK) && !payload.startsWith(ATTEMPT_NOTE)) return [];
  const lines = payload.split('\n');
  const isAlone = lines.length === 1;
  const marks = lines.flatMap((text, index) =>
    text.startsWith(RUNNER_MARK) || (isAlone && text.startsWith(ATTEMPT_NOTE))
      ? [{ line: firstLine + index, text: text.slice(0, MAX_MARK), at, isAlone }]
      : [],
  );
  return marks.slice(0, MAX_MARKS);
}

/** What the API shows. @param totalLines those of the log */
export function toSteps(
  found: readonly FoundStep[],
  totalLines: number,
  job: { readonly status: JobStatus; readonly finishedAt: Date | null },
): JobLogStepDto[] {
  const status = statusOfOpen(job.status);
  return found.map((step) => ({
    name: step.name,
    firstLine: step.firstLine,
    lastLine: step.lastLine ?? Math.max(totalLines, step.firstLine),
    startedAt: step.startedAt,
    endedAt: step.endedAt ?? job.finishedAt?.toISOString() ?? null,
    status: step.status ?? status,
    attempt: step.attempt,
  }));
}

/** How a step stands that no line has ended. */
function statusOfOpen(status: JobStatus): StepStatus {
  return OPEN[status as FinalJobStatus] ?? 'running';
}

const OPEN: Readonly<Partial<Record<JobStatus, StepStatus>>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  rejected: 'failed',
  timed_out: 'failed',
  canceled: 'canceled',
};
