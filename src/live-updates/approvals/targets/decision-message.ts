import type { Decision } from './approval-target.js';

/** Of a comment, in the sentence about a rejection. */
const MAX_COMMENT = 300;

/**
 * Says in the log of a job what a decision means for it.
 *
 * @param name of the user who has decided; `null`: the user was deleted
 */
export function decisionMessage(
  { kind, missing }: Pick<Decision, 'kind' | 'missing'>,
  name: string | null,
): string {
  const who = name ?? 'A user';
  const what = kind === 'approved' ? 'has approved the deployment' : 'has withdrawn an approval';
  const people = missing === 1 ? '1 person' : `${missing} people`;
  return missing === 0 ? `${who} ${what}.` : `${who} ${what}. It waits for the approval of ${people} more.`;
}

/**
 * Why a job ends that a user has rejected. Without the name of the user, because events show it: the history has the id.
 *
 * @param comment several lines become one
 */
export function rejectionMessage(comment: string | null): string {
  const said = (comment ?? '').replace(/\s+/g, ' ').trim();
  const what = 'A user has rejected the deployment';
  if (said === '') return `${what}.`;
  const short = [...said].slice(0, MAX_COMMENT).join('');
  return `${what}: ${short === said ? said : `${short}…`}`;
}
