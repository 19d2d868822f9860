import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { approvalStateQuery } from '../../api/approvals';
import { refreshApp } from '../../api/query-client';
import type { Deployment } from '../../api/types';
import { useAccount, useOrganizationOf } from '../../app/account';
import {
  type Approval,
  type ApprovalAction,
  approvalActions,
  ApprovalCard,
  ApprovalDialog,
} from '../../parts/approvals';
import { CommandLine } from '../../parts/command';
import { EventList } from '../../parts/events';
import { Page, Section } from '../../parts/page';
import { releaseName } from '../../parts/release';
import { type Status, StatusBadge } from '../../parts/status';

/** A release that goes to a store: its approvals, what the store says, and the command that shows more. */
export function StoreRelease({ deployment }: { deployment: Deployment }): ReactNode {
  const { appId, id, appBuild, approvalStatus, submission } = deployment;
  const name = appBuild === undefined ? 'A release' : releaseName(appBuild);
  const { can, user } = useAccount();
  const organization = useOrganizationOf(appId);
  const client = useQueryClient();
  const [dialog, setDialog] = useState<ApprovalAction | null>(null);
  const waits = approvalStatus !== 'approved';
  const state = useQuery({ ...approvalStateQuery(deployment), enabled: waits }).data;
  const approval: Approval = {
    deployment,
    name,
    userId: user.id,
    mayApprove: can(appId, 'deployments:approve'),
    mayOverride: can(appId, 'deployments:override'),
    frozenUntil: null,
  };
  const link = submission?.release?.link ?? submission?.link ?? null;
  return (
    <Page
      title={name}
      crumb={deployment.appDestinationName}
      status={<StatusBadge status={statusOf(deployment)} />}
      says={submission?.release?.message ?? submission?.message ?? 'This release goes to a store.'}
      actions={approvalActions(approval, state, setDialog)}
    >
      <div className="two">
        <div>
          {waits ? (
            <ApprovalCard
              approval={approval}
              title={approvalStatus === 'pending' ? 'Waits for approval' : 'Rejected'}
            />
          ) : null}
          {link === null ? null : (
            <Section title="In the store">
              <div className="card pad">
                <a className="button" href={link} target="_blank" rel="noopener noreferrer">
                  Open its page in the store
                </a>
              </div>
            </Section>
          )}
          <Section title="As command">
            <div className="card pad">
              <CommandLine
                text={`npx @capawesome/cli apps:deployments:get --app-id ${appId} --deployment-id ${id}`}
              />
            </div>
          </Section>
        </div>
        <EventList
          title="What happened"
          organizationId={organization?.id ?? null}
          appId={appId}
          objectIds={[id]}
          names={new Map([[deployment.appBuildId, name]])}
        />
      </div>
      {dialog === null ? null : (
        <ApprovalDialog
          approval={approval}
          action={dialog}
          onDone={() => refreshApp(client, appId)}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  );
}

function statusOf({ approvalStatus, submission }: Deployment): Status {
  if (approvalStatus === 'pending') return 'waits';
  if (approvalStatus === 'rejected' || submission?.release?.status === 'rejected') return 'rejected';
  switch (submission?.release?.status) {
    case undefined:
      break;
    case 'draft':
    case 'not_sent_for_review':
    case 'approved':
      return 'needsAction';
    case 'waiting_for_review':
    case 'in_review':
    case 'testing':
      return 'inReview';
    case 'rolling_out':
      return 'rollingOut';
    case 'paused':
    case 'halted':
      return 'stopped';
    case 'released':
      return 'live';
    default:
      return 'superseded';
  }
  switch (submission?.state) {
    case 'failed':
      return 'failed';
    case 'failed_with_action_required':
      return 'needsAction';
    case 'prepared':
    case 'finished_manually':
      return 'succeeded';
    default:
      return 'building';
  }
}
