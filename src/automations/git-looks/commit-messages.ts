import type { ReadCommit } from '../../apps/repository/repository-refs.service.js';
import { matchesWildcards } from '../../common/ref-patterns.js';
import type { Automation } from '../automations/automation.entity.js';
import type { SkipReason } from './git-event.entity.js';

const SKIP_CI = /\[skip ci\]/i;

/** Why a tip is not built. */
export interface Skip {
  readonly reason: SkipReason;
  readonly message: string;
}

export const SKIPPED_BY_MESSAGE: Skip = {
  reason: 'skip_ci',
  message: 'The message of the commit has [skip ci].',
};

export function skipsCi(message: string | null): boolean {
  return message !== null && SKIP_CI.test(message);
}

/** Why a commit is not built, as its message says. */
export function findSkip(
  { commitMessagePattern }: Pick<Automation, 'commitMessagePattern'>,
  { tip, commit: { sha, message } }: Pick<ReadCommit, 'tip' | 'commit'>,
): Skip | null {
  if (skipsCi(message)) return SKIPPED_BY_MESSAGE;
  if (commitMessagePattern === null) return null;
  if (message === null) {
    return { reason: 'message_unknown', message: 'The server of the repository does not say the message.' };
  }
  const [firstLine = ''] = message.split('\n', 1);
  if (matchesWildcards(commitMessagePattern, firstLine.trim())) return null;
  const commit = sha === tip.sha ? 'the commit' : `the commit ${sha}, the newest without [skip ci],`;
  return {
    reason: 'message_pattern',
    message: `The message of ${commit} does not match ${commitMessagePattern}.`,
  };
}
