import type { Submission } from '../submissions/submission.entity.js';
import { reasonOfState, reasonOfStatus } from './action-required.js';

const submission = (values: Partial<Submission> = {}): Submission =>
  ({ state: 'prepared', releaseId: null, link: null, appleReleaseType: null, ...values }) as Submission;

it.each([
  ['rejected', {}, 'store', 'rejected'],
  ['draft', {}, 'user', 'draft'],
  ['draft', { state: 'failed_with_action_required' }, 'user', null],
  ['not_sent_for_review', {}, 'store', 'not_sent_for_review'],
  ['not_sent_for_review', { state: 'failed_with_action_required' }, 'user', null],
  ['halted', {}, 'store', 'stopped'],
  ['halted', {}, 'user', null],
  ['paused', {}, 'rollout-plan', null],
  ['approved', { appleReleaseType: 'manual' }, 'store', 'manual_release'],
  ['approved', { appleReleaseType: 'after-approval' }, 'store', null],
  ['in_review', {}, 'store', null],
  ['released', {}, 'store', null],
] as const)('of the status %s with %j by the actor %s is %s', (status, values, actor, reason) => {
  expect(reasonOfStatus(status, submission(values), actor)).toBe(reason);
});

it.each([
  [{ state: 'failed_with_action_required' }, 'not_sent_for_review'],
  [{ link: 'https://store.example' }, null],
  [{ releaseId: 'a', link: 'https://store.example' }, 'not_sent_for_review'],
  [{ releaseId: 'a' }, null],
  [{ state: 'failed', link: 'https://store.example' }, null],
] as const)('of a submission with %j is %s', (values, reason) => {
  expect(reasonOfState(submission(values))).toBe(reason);
});
