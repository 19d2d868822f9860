import { queryOptions } from '@tanstack/react-query';
import { ApiError, fetchApi, request } from './client';

/** One line of a log. */
export interface LogLine {
  /** From 1. */
  readonly number: number;
  /** With escape sequences of colours. */
  readonly text: string;
  /** When the server received it, as ISO 8601. */
  readonly timestamp: string;
}

/** Some lines of a log, and what is known of all of it. */
export interface LogPage {
  readonly totalLines: number;
  /** No further line can come. */
  readonly isComplete: boolean;
  /** Retention has deleted it. */
  readonly isDeleted: boolean;
  /** By number. */
  readonly lines: readonly LogLine[];
  /** Of a search: the lines that have its text; `null` without one. */
  readonly totalHits: number | null;
}

/** A part of a log, as the lines of its runner say. Lines between steps belong to none. */
export interface LogStep {
  readonly name: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly startedAt: string;
  /** `null`: it runs. */
  readonly endedAt: string | null;
  readonly status: 'running' | 'succeeded' | 'failed' | 'canceled';
  /** From 1. */
  readonly attempt: number;
}

/** Which lines: those above `after`, those below `before`, or without both the last ones. */
export interface LogRange {
  readonly after?: number;
  readonly before?: number;
  /** 1 to 2,000. */
  readonly limit: number;
  /** Only lines that have this text, 1 to 200 characters, ignoring case. */
  readonly search?: string;
}

/** Most lines of one answer, and most characters of a search. */
export const [MOST_LINES, MOST_SEARCHED] = [2000, 200];

/** Lines of the log of a job. */
export async function readLog(jobId: string, range: LogRange, signal?: AbortSignal): Promise<LogPage> {
  const query = new URLSearchParams(
    Object.entries(range)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
  return read<LogPage>(`/v1/jobs/${jobId}/logs?${query}`, signal);
}

/** The steps of a log, by their lines. */
export function readSteps(jobId: string, signal?: AbortSignal): Promise<LogStep[]> {
  return read<LogStep[]>(`/v1/jobs/${jobId}/logs/steps`, signal);
}

/** The lines of a log from one number to another, which the server gives in parts. */
export async function readLines(jobId: string, first: number, last: number): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for (let after = first - 1; after < last;) {
    const page = await readLog(jobId, { after, limit: Math.min(MOST_LINES, last - after) });
    const end = page.lines.at(-1);
    if (end === undefined) break;
    lines.push(...page.lines);
    after = end.number;
  }
  return lines;
}

/** A whole log as it was written, with its colours. */
export async function readRawLog(jobId: string): Promise<string> {
  const chunks = await request('get', '/v1/jobs/{jobId}/logs', { path: { jobId } });
  return (chunks as unknown as { payload: string }[]).map(({ payload }) => `${payload}\n`).join('');
}

async function read<T>(address: string, signal: AbortSignal | undefined): Promise<T> {
  const response = await fetchApi(address, {
    headers: { Accept: 'application/json' },
    ...(signal !== undefined && { signal }),
  });
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The network was lost.');
  }
}

/** Why a job has failed, and the line of its log that shows it. */
export interface FailureSummary {
  /** The step and the cause, in a sentence or two. */
  readonly cause: string;
  /** What to do about it. */
  readonly advice: readonly string[];
  /** `null`: the log does not have it, or not any more. */
  readonly line: number | null;
}

/** Hits among which the line of a failure is looked for. */
const HITS = 20;

/** Why a failed job has failed. @param jobId `null`: it has not */
export const failureQuery = (appId: string, jobId: string | null) =>
  queryOptions({
    queryKey: ['failure', appId, jobId],
    enabled: jobId !== null,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<FailureSummary> => {
      const { summary } = await request('post', '/v1/jobs/{jobId}/failure-summary', {
        path: { jobId: jobId! },
        signal,
      });
      const { cause, advice, shown } = partsOf(summary);
      return { cause, advice, line: shown === null ? null : await lineOf(jobId!, shown, signal) };
    },
  });

/** Reads a summary: its first sentences, `Log:` with indented lines, `What to do:` with a list. */
export function partsOf(summary: string): { cause: string; advice: string[]; shown: string | null } {
  const [cause = '', ...blocks] = summary.split('\n\n');
  const linesOf = (heading: string): string[] =>
    blocks
      .find((block) => block.startsWith(`${heading}\n`))
      ?.split('\n')
      .slice(1) ?? [];
  return {
    cause: cause.trim(),
    advice: linesOf('What to do:').map((line) => line.replace(/^- /, '')),
    shown:
      linesOf('Log:')
        .map((line) => line.trim())
        .find((line) => line !== '') ?? null,
  };
}

/** The line that a summary shows. The summary is at the end of the log, too: the hit before it is meant. */
async function lineOf(jobId: string, shown: string, signal: AbortSignal): Promise<number | null> {
  const search = [...shown].slice(0, MOST_SEARCHED).join('');
  const { lines } = await readLog(jobId, { limit: HITS, search }, signal);
  return (lines.at(-2) ?? lines.at(-1))?.number ?? null;
}
