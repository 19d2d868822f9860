import { Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  type ApprovalState,
  approvalStateQuery,
  approve,
  approveAsEmergency,
  reject,
  withdrawApproval,
} from '../api/approvals';
import { ApiError } from '../api/client';
import type { Deployment } from '../api/types';
import { ActionDialog } from './action-dialog';
import { FailureNote } from './failure';
import { counted, exactly, percent } from './format';
import { type Action, Banner, RowsSkeleton, Section } from './page';
import { StatusBadge } from './status';
import { personName, TimeAgo } from './texts';

/** Approvers that are named. */
const NAMED = 3;
/** Characters of the reason of an emergency. */
const MOST_REASON = 1000;

/** A release that waits for approvals, and who looks at it. */
export interface Approval {
  readonly deployment: Deployment;
  /** Of the release. */
  readonly name: string;
  /** The id of the person who looks. */
  readonly userId: string;
  /** Whether the person may approve releases of the app at all. */
  readonly mayApprove: boolean;
  /** Whether the person may pass over approvals and freezes in an emergency. */
  readonly mayOverride: boolean;
  /** End of the freeze of its channel; `null`: it is not frozen. */
  readonly frozenUntil: Date | null;
}

export type ApprovalAction = 'approve' | 'reject' | 'withdraw' | 'override';

/** Why the person cannot approve a release; `null`: it can. */
function blockedBecause({ deployment, userId, mayApprove }: Approval): string | null {
  if (!mayApprove) return 'Your role may not approve releases.';
  return deployment.createdByUserId === userId
    ? 'You asked for this approval: another person has to give it.'
    : null;
}

/** Whether it is the turn of the person. */
export const mayApproveNow = (approval: Approval): boolean =>
  approval.deployment.approvalStatus === 'pending' && blockedBecause(approval) === null;

/** Whether a person has approved a release. */
export const hasApproved = (state: ApprovalState | undefined, userId: string): boolean =>
  state?.decisions.some((each) => each.userId === userId && each.decision === 'approved') ?? false;

/** What the person can do about it: one who asks sees why it is not theirs to approve. */
export function approvalActions(
  approval: Approval,
  state: ApprovalState | undefined,
  open: (action: ApprovalAction) => void,
): Action[] {
  const { deployment, userId, mayApprove, mayOverride, frozenUntil } = approval;
  if (deployment.approvalStatus !== 'pending' || !mayApprove) return [];
  const blocked = blockedBecause(approval);
  const first: Action = hasApproved(state, userId)
    ? { label: 'Withdraw your approval', onClick: () => open('withdraw') }
    : {
        label: 'Approve',
        ...(blocked === null && { kind: 'main' as const }),
        onClick: () => open('approve'),
        disabled: blocked ?? undefined,
      };
  const reject: Action = { label: 'Reject', kind: 'danger', onClick: () => open('reject') };
  // Where the approval of this person is enough, there is nothing to pass over.
  const missing = state?.missingApprovals ?? deployment.requiredApprovals;
  const isEnough = blocked === null && missing === 1 && frozenUntil === null;
  return mayOverride && !isEnough
    ? [first, reject, { label: 'Approve as emergency…', kind: 'more', onClick: () => open('override') }]
    : [first, reject];
}

/** Which approvals a release has and lacks, who can give them, and why the person cannot. */
export function ApprovalCard({
  approval,
  title,
  actions,
}: {
  approval: Approval;
  title: string;
  /** In the card; none where the page has them. */
  actions?: ReactNode;
}): ReactNode {
  const { deployment, name, userId, mayApprove, frozenUntil } = approval;
  const { data, error, refetch } = useQuery(approvalStateQuery(deployment));
  const isPending = deployment.approvalStatus === 'pending';
  const text =
    deployment.notes ?? deployment.comment ?? deployment.appBuild?.gitCommitMessage?.split('\n')[0];
  return (
    <Section title={title} note={data === undefined ? null : givenOf(data)}>
      <div className="card pad stack approval">
        <p>
          <b>{personName(deployment.createdBy)}</b> asks for {name}
          {deployment.rolloutPercentage < 1 ? ` for ${percent(deployment.rolloutPercentage)} of devices` : ''}
          {text ? (
            <>
              : <q className="break">{text}</q>
            </>
          ) : null}{' '}
          <span className="muted">
            · <TimeAgo at={deployment.createdAt} />
          </span>
        </p>
        <FailureNote error={error} onRetry={() => void refetch()} what="approvals" />
        {data === undefined ? (
          error === null ? (
            <RowsSkeleton rows={1} height={32} />
          ) : null
        ) : (
          <>
            <Decisions state={data} />
            {isPending ? <Approvers state={data} userId={userId} /> : null}
          </>
        )}
        {isPending && mayApprove && deployment.createdByUserId === userId ? (
          <Banner tone="info">You asked for this approval: another person has to give it.</Banner>
        ) : null}
        {isPending && !mayApprove ? <p className="small muted">Your role may not approve releases.</p> : null}
        {isPending && frozenUntil !== null ? (
          <Banner tone="warn">
            Frozen until {exactly(frozenUntil)}: the last approval is refused until then.
          </Banner>
        ) : null}
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </div>
    </Section>
  );
}

function givenOf({ requiredApprovals, missingApprovals }: ApprovalState): string {
  return `${requiredApprovals - missingApprovals} of ${counted(requiredApprovals, 'approval')}`;
}

function Decisions({ state: { decisions } }: { state: ApprovalState }): ReactNode {
  if (decisions.length === 0) return null;
  return (
    <ul className="decisions">
      {decisions.map(({ id, decision, user, comment, createdAt }) => (
        <li key={id}>
          <StatusBadge status={decision} />
          <span className="grow">
            <b>{personName(user)}</b>
            {comment === null ? null : (
              <>
                {' '}
                <q>{comment}</q>
              </>
            )}
          </span>
          <span className="small muted">
            <TimeAgo at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Approvers({
  state: { approvers, totalApprovers, missingApprovals },
  userId,
}: {
  state: ApprovalState;
  userId: string;
}): ReactNode {
  if (totalApprovers < missingApprovals) {
    return (
      <Banner tone="warn">
        {totalApprovers === 0 ? 'No other member' : `Only ${counted(totalApprovers, 'other member')}`} can
        approve it. An owner or admin can add members who see this app, with the role member or a higher one.
      </Banner>
    );
  }
  // The reader first.
  const others = approvers.filter(({ id }) => id !== userId);
  const own = others.length < approvers.length ? ['you'] : [];
  const named = [...own, ...others.map(personName)].slice(0, NAMED);
  const more = totalApprovers - named.length;
  const names = more > 0 ? [...named, `${more} more`] : named;
  return (
    <p className="muted">
      Can be approved by{' '}
      {names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`}.
    </p>
  );
}

/** Approves or rejects a release, or withdraws the own approval. Says who was faster. */
export function ApprovalDialog({
  approval,
  action,
  onDone,
  onClose,
}: {
  approval: Approval;
  action: ApprovalAction;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}): ReactNode {
  const { deployment, name, userId, frozenUntil } = approval;
  const { data, refetch } = useQuery(approvalStateQuery(deployment));
  const missing = data?.missingApprovals ?? deployment.requiredApprovals;
  const isDecided =
    data !== undefined &&
    (data.missingApprovals === 0 || data.decisions.some(({ decision }) => decision === 'rejected'));
  const titles = {
    approve: `Approve ${name}`,
    reject: `Reject ${name}`,
    withdraw: `Withdraw your approval of ${name}`,
    override: `Approve ${name} as emergency`,
  };
  const [reason, setReason] = useState('');
  const target = deployment.appChannelName ?? deployment.appDestinationName ?? '';
  return (
    <ActionDialog
      title={titles[action]}
      confirm={action === 'withdraw' ? 'Withdraw it' : titles[action]}
      danger={action === 'reject' || action === 'override'}
      withComment={action === 'approve' || action === 'reject'}
      blocked={
        isDecided
          ? 'It is decided already.'
          : action === 'override' && reason.trim() === ''
            ? 'Say why it cannot wait.'
            : undefined
      }
      onClose={onClose}
      explain={(error) => {
        if (error.code !== 'deployment_not_pending' && error.code !== 'already_approved') return null;
        const others = (data?.decisions ?? []).filter((each) => each.userId !== userId);
        const last = others.at(-1);
        return last === undefined ? null : (
          <Banner tone="warn">
            <b>{personName(last.user)}</b> was first: {last.decision === 'approved' ? 'approved' : 'rejected'}{' '}
            it <TimeAgo at={last.createdAt} />
            {last.comment === null ? '.' : `: ${last.comment}`} Nothing was changed by you.
          </Banner>
        );
      }}
      act={async (comment, key) => {
        try {
          if (action === 'approve') await approve(deployment, comment, key);
          else if (action === 'reject') await reject(deployment, comment, key);
          else if (action === 'override') await approveAsEmergency(deployment, reason.trim(), key);
          else await withdrawApproval(deployment);
        } catch (error) {
          // Another person may have been faster: the dialog says who.
          if (error instanceof ApiError && error.status === 409) await Promise.all([refetch(), onDone()]);
          throw error;
        }
        await onDone();
      }}
    >
      <p>
        {action === 'withdraw' ? (
          `${name} waits for ${counted(missing + 1, 'approval')} again.`
        ) : action === 'override' ? (
          <>
            {name} {deployment.appChannelId === null ? 'is submitted to' : 'goes to'}{' '}
            <b className="break">{target}</b> at once, without the approvals that are missing
            {frozenUntil === null ? '' : ', in spite of the freeze'}. The audit log says who did it and why.
          </>
        ) : action === 'reject' ? (
          `${name} is not delivered to ${target}, for good. To deliver it later, deploy it again.`
        ) : missing > 1 ? (
          `${name} then waits for ${counted(missing - 1, 'more approval')}.`
        ) : (
          <>
            This is the last approval: {name}{' '}
            {deployment.appChannelId === null ? 'is submitted to' : 'goes to'}{' '}
            <b className="break">{target}</b>
            {deployment.appChannelId === null
              ? '.'
              : deployment.rolloutPercentage === 1
                ? ' at once, for all devices.'
                : deployment.rolloutPercentage === 0
                  ? ', for no device before its share is raised or its plan begins.'
                  : ` at once, for ${percent(deployment.rolloutPercentage)} of devices.`}
          </>
        )}
      </p>
      {action === 'override' ? (
        <Textarea
          label="Why it cannot wait"
          value={reason}
          maxLength={MOST_REASON}
          required
          autosize
          minRows={2}
          data-autofocus
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      ) : null}
    </ActionDialog>
  );
}
