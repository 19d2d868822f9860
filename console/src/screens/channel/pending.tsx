import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { approvalStateQuery } from '../../api/approvals';
import {
  type Approval,
  type ApprovalAction,
  approvalActions,
  ApprovalCard,
  mayApproveNow,
} from '../../parts/approvals';
import { ActionButton, Section } from '../../parts/page';
import { StatusBadge } from '../../parts/status';
import { personName, TimeAgo } from '../../parts/texts';

/** Releases whose approvals are shown here: each takes a request. The page of a release has those of the others. */
const SHOWN = 2;

/** The releases of a channel that wait for approvals, newest first. */
export function Pending({
  approvals,
  onAct,
}: {
  approvals: readonly Approval[];
  onAct: (action: ApprovalAction, approval: Approval) => void;
}): ReactNode {
  const others = approvals.slice(SHOWN);
  return (
    <>
      {approvals.slice(0, SHOWN).map((approval, index) => (
        <PendingRelease
          key={approval.deployment.id}
          approval={approval}
          isFirst={approvals.findIndex(mayApproveNow) === index}
          onAct={onAct}
        />
      ))}
      {others.length === 0 ? null : (
        <Section title="Wait for approval, too">
          <div className="card">
            {others.map(({ deployment, name }) => (
              <Link
                key={deployment.id}
                className="row stack-row"
                to="/apps/$appId/deployments/$deploymentId"
                params={{ appId: deployment.appId, deploymentId: deployment.id }}
              >
                <div className="grow">
                  <b className="break">{name}</b>
                  <div className="muted">
                    {personName(deployment.createdBy)}, <TimeAgo at={deployment.createdAt} />
                  </div>
                </div>
                <StatusBadge status="waits" />
              </Link>
            ))}
          </div>
        </Section>
      )}
    </>
  );
}

function PendingRelease({
  approval,
  isFirst,
  onAct,
}: {
  approval: Approval;
  /** Whether its button is the filled one of the page. */
  isFirst: boolean;
  onAct: (action: ApprovalAction, approval: Approval) => void;
}): ReactNode {
  const { deployment, name } = approval;
  const { data } = useQuery(approvalStateQuery(deployment));
  return (
    <ApprovalCard
      approval={approval}
      title={`${name} waits for approval`}
      actions={
        <>
          {approvalActions(approval, data, (action) => onAct(action, approval)).map(({ kind, ...action }) => (
            <ActionButton
              key={action.label}
              {...action}
              {...(kind === 'danger' && { kind })}
              {...(kind === 'main' && isFirst && { kind })}
            />
          ))}
          <Link
            className="button text"
            to="/apps/$appId/deployments/$deploymentId"
            params={{ appId: deployment.appId, deploymentId: deployment.id }}
          >
            Details
          </Link>
        </>
      }
    />
  );
}
