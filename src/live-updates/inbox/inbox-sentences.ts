import type { SubmissionAction } from '../../app-submissions/submissions/submission.entity.js';
import { inPercent } from '../../app-submissions/releases/release-look.js';
import type { WebhookDisabledReason } from '../../notifications/webhooks/webhook.entity.js';
import type { Health, HealthGate, PlanReason } from '../rollout-plans/rollout-plan.entity.js';
import type { InboxKind } from './inbox.dto.js';

/** What the sentence of an entry depends on; each kind has some of it. */
export interface InboxFacts {
  /** Of `approval`. Its texts are written by users. */
  readonly asker?: string | null;
  readonly text?: string | null;
  readonly missing?: number;
  /** Of `plan_held`. */
  readonly reason?: PlanReason;
  /** 0 to 1. */
  readonly share?: number | null;
  readonly comment?: string | null;
  readonly evidence?: Health | null;
  readonly healthGate?: HealthGate | null;
  /** Of `plan_held`, of submissions and of releases, in the words of the store. */
  readonly storeMessage?: string | null;
  /** Of submissions and of releases, a sentence. */
  readonly message?: string | null;
  /** Of `release_change_failed`; `share` is the one that it was to have. */
  readonly action?: SubmissionAction | null;
  /** Of `files_damaged`. */
  readonly files?: number;
  readonly builds?: number;
  /** Of `signing_expiring`: ISO 8601. */
  readonly expiresAt?: string;
  readonly isProfile?: boolean;
  /** Of webhooks. */
  readonly disabledReason?: WebhookDisabledReason | null;
  readonly host?: string;
  readonly attempts?: number | null;
}

/** Characters of a quoted text. */
const MAX_QUOTE = 300;
const DAY = 86_400_000;

/** Why something waits, in one or two sentences. */
export function sentenceOf(kind: InboxKind, facts: InboxFacts, now: Date): string {
  switch (kind) {
    case 'approval':
      return `${facts.asker ?? 'A deleted user'} asks${said(facts.text)} ${missingOf(facts.missing ?? 1)}`;
    case 'plan_held':
      return heldBecause(facts);
    case 'submission_refused':
      return `${facts.message ?? 'The submission has failed.'}${quoted(facts)}`;
    case 'submission_waiting':
      return `${facts.message ?? 'The store waits for a person.'}${quoted(facts)}`;
    case 'release_stopped':
      return `${facts.message ?? 'The release is stopped.'}${quoted(facts)}`;
    case 'release_change_failed':
      return `${changeOf(facts)} has failed.${facts.message == null ? '' : ` ${facts.message}`}${quoted(facts)}`;
    case 'files_damaged':
      return damaged(facts);
    case 'signing_expiring':
      return `The ${facts.isProfile === true ? 'provisioning profile' : 'certificate'} ${expires(facts.expiresAt ?? '', now)}`;
    case 'webhook_failing':
      return `The last ${facts.attempts ?? 0} attempts to reach ${facts.host ?? 'the receiver'} have failed. Slipway tries again.`;
    case 'webhook_disabled':
      return disabledBecause(facts);
  }
}

function missingOf(missing: number): string {
  return missing === 1 ? '1 approval is missing.' : `${missing} approvals are missing.`;
}

function heldBecause({ reason, share, comment, evidence, healthGate, storeMessage }: InboxFacts): string {
  const at = share == null ? '' : ` It stays at ${inPercent(share)}.`;
  switch (reason) {
    case 'health-gate': {
      if (evidence == null || evidence.applied === 0 || healthGate == null) break;
      const went = inPercent(Math.round((evidence.rolledBack / evidence.applied) * 1000) / 1000);
      return `${went} of the devices that ran it went back to an older bundle; the limit is ${inPercent(healthGate.maxFailureShare)}.${at}`;
    }
    case 'store':
      return `${storeMessage ?? 'The store has not taken the share.'}${at}`;
    case 'unsafe-reuse':
      return `Devices would build the bundle with wrong files.${at}`;
    case 'person':
      return `A person has held the plan${said(comment)}${at}`;
    default:
  }
  return `The plan waits until a person resumes it.${at}`;
}

/** What was to become of a release. */
function changeOf({ action, share }: InboxFacts): string {
  if (action === 'release') return 'Releasing it';
  if (action === 'withdraw') return 'Taking it out of the review';
  if (share === 0) return 'Stopping the rollout';
  return share == null ? 'Changing the share' : `Setting the share to ${inPercent(share)}`;
}

function damaged({ files = 1, builds = 1 }: InboxFacts): string {
  const what = files === 1 ? '1 stored file is' : `${files} stored files are`;
  const which = builds === 1 ? 'this build' : `${builds} builds, of which this is the newest`;
  return `${what} damaged: devices do not get ${which}. Publish the same files again, or deploy another build.`;
}

function expires(expiresAt: string, now: Date): string {
  const days = Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY);
  if (days < -1) return `expired ${-days - 1} days ago.`;
  if (days === -1) return 'has expired.';
  if (days === 0) return 'expires within a day.';
  return days === 1 ? 'expires in 1 day.' : `expires in ${days} days.`;
}

function disabledBecause({ disabledReason, host = 'The receiver' }: InboxFacts): string {
  switch (disabledReason) {
    case 'gone':
      return `${host} said that it is gone, so Slipway has disabled the webhook.`;
    case 'failing':
      return `${host} took nothing for five days, so Slipway has disabled the webhook.`;
    case 'app-transferred':
      return 'The app came from another organization, so the webhook is disabled until you enable it.';
    default:
      return 'Slipway has disabled the webhook.';
  }
}

/** What a store said, if the sentence does not say it already. */
function quoted({ message, storeMessage }: InboxFacts): string {
  if (storeMessage == null || storeMessage === '' || message?.includes(storeMessage) === true) return '';
  return ` The store: “${cut(storeMessage)}”.`;
}

/** What a person said, and the end of the sentence. */
function said(text: string | null | undefined): string {
  return text == null || text.trim() === '' ? '.' : `: “${cut(text.trim())}”.`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_QUOTE ? text : `${characters.slice(0, MAX_QUOTE - 1).join('')}…`;
}
