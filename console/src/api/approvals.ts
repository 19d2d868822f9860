import { queryOptions } from '@tanstack/react-query';
import { commented } from './channels';
import { request } from './client';
import type { components } from './schema';

export type ApprovalState = components['schemas']['ApprovalStateDto'];

/** A deployment in requests. */
interface Target {
  readonly appId: string;
  readonly id: string;
}

/** Which approvals a release has and lacks, and who can give them. */
export const approvalStateQuery = ({ appId, id }: Target) =>
  queryOptions({
    queryKey: ['approval-state', appId, id],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/deployments/{deploymentId}/approval-state', {
        path: { appId, deploymentId: id },
        signal,
      }),
  });

/** Approves a release. @param key of the click */
export function approve({ appId, id }: Target, comment: string, key: string): Promise<unknown> {
  return request('post', '/v1/apps/{appId}/deployments/{deploymentId}/approvals', {
    path: { appId, deploymentId: id },
    body: commented(comment),
    idempotencyKey: key,
  });
}

/** Approves a release alone, also the own one and in a freeze. @param reason for the audit log @param key of the click */
export function approveAsEmergency({ appId, id }: Target, reason: string, key: string): Promise<unknown> {
  return request('post', '/v1/apps/{appId}/deployments/{deploymentId}/approvals', {
    path: { appId, deploymentId: id },
    body: { emergency: { reason } },
    idempotencyKey: key,
  });
}

/** Rejects a release for good. @param key of the click */
export function reject({ appId, id }: Target, comment: string, key: string): Promise<unknown> {
  return request('post', '/v1/apps/{appId}/deployments/{deploymentId}/reject', {
    path: { appId, deploymentId: id },
    body: commented(comment),
    idempotencyKey: key,
  });
}

/** Withdraws the own approval. */
export function withdrawApproval({ appId, id }: Target): Promise<unknown> {
  return request('delete', '/v1/apps/{appId}/deployments/{deploymentId}/approvals', {
    path: { appId, deploymentId: id },
  });
}
