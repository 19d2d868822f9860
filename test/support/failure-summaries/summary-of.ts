import { readLogEnd } from '../../../src/jobs/failure-summaries/log-end.js';
import { summarize } from '../../../src/jobs/failure-summaries/summarize.js';

/**
 * What Slipway says about a build that has failed.
 *
 * @param log what the runner sends
 */
export function summaryOf(log: string, step: string | null = null, message: string | null = null): string {
  const { lines, isCut } = readLogEnd([{ jobId: '', number: 1, payload: log, timestamp: '' }], 1);
  return summarize({ step, message, lines, isCut }, (text) => text);
}
