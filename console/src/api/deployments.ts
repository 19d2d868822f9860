import { queryOptions } from '@tanstack/react-query';
import { commented } from './channels';
import { ApiError, request } from './client';
import type { SimulatedChange } from './types';

/** Releases of one page. */
export const RELEASES = 20;
/** Devices that a simulation evaluates at most: above it, a sample. */
const SIMULATED_DEVICES = 100_000;
const SEEN_WITHIN_DAYS = 30;

/** The releases of a channel, newest first, with their builds, plans and figures. @param page from 1 */
export const releasesQuery = (appId: string, channelId: string, page = 1) =>
  queryOptions({
    queryKey: ['releases', appId, channelId, page],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/deployments', {
        path: { appId },
        query: {
          appChannelId: channelId,
          relations: 'appBuild,rolloutPlan,health',
          limit: RELEASES + 1,
          offset: (page - 1) * RELEASES,
        },
        signal,
      }),
  });

/** A deployment as it is now, with its build, plan and figures. */
export const deploymentQuery = (appId: string, deploymentId: string) =>
  queryOptions({
    queryKey: ['deployment', appId, deploymentId],
    staleTime: 0,
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/deployments/{deploymentId}', {
        path: { appId, deploymentId },
        query: { relations: 'appBuild,rolloutPlan,health' },
        signal,
      }),
  });

/** Why devices do not get a release: counted on request, which takes a while. */
export const blockersQuery = (appId: string, deploymentId: string) =>
  queryOptions({
    queryKey: ['blockers', appId, deploymentId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/deployments/{deploymentId}/blockers', {
        path: { appId, deploymentId },
        signal,
      }),
  });

/** What devices download for a release. */
export const transferSizesQuery = (appId: string, deploymentId: string) =>
  queryOptions({
    queryKey: ['transfer-sizes', appId, deploymentId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/deployments/{deploymentId}/transfer-sizes', {
        path: { appId, deploymentId },
        signal,
      }),
  });

/** What a change would do to the devices seen in 30 days. Waits while another simulation of the app runs. */
export const simulationQuery = (
  appId: string,
  change: Omit<SimulatedChange, 'seenWithinDays' | 'maxDevices'> | null,
) =>
  queryOptions({
    queryKey: ['simulation', appId, change],
    enabled: change !== null,
    staleTime: 60_000,
    retry: (failures, error) =>
      failures < 20 && error instanceof ApiError && error.code === 'simulation_running',
    retryDelay: 1000,
    queryFn: ({ signal }) =>
      request('post', '/v1/apps/{appId}/simulations', {
        path: { appId },
        body: { ...change!, seenWithinDays: SEEN_WITHIN_DAYS, maxDevices: SIMULATED_DEVICES },
        signal,
      }),
  });

/** Gives a release to another share of the devices. @param share 0 to 1 @param ifMatch `undefined`: whatever others did */
export function changeShare(
  deployment: { readonly appId: string; readonly id: string },
  share: number,
  comment: string,
  ifMatch: string | undefined,
): Promise<unknown> {
  return request('patch', '/v1/apps/{appId}/deployments/{deploymentId}', {
    path: { appId: deployment.appId, deploymentId: deployment.id },
    body: { rolloutPercentage: share, ...commented(comment) },
    ifMatch,
  });
}

/** Makes a build the newest release of a channel. @param key of the click */
export function deploy(
  appId: string,
  channelId: string,
  buildId: string,
  comment: string,
  key: string,
): Promise<unknown> {
  return request('post', '/v1/apps/{appId}/deployments', {
    path: { appId },
    body: { appBuildId: buildId, appChannelId: channelId, ...commented(comment) },
    idempotencyKey: key,
  });
}

/** Holds, resumes or aborts the plan of a release. */
export function changePlan(
  { appId, id }: { readonly appId: string; readonly id: string },
  action: 'hold' | 'resume' | 'abort' | 'start',
  comment: string,
): Promise<unknown> {
  return request('post', `/v1/apps/{appId}/deployments/{deploymentId}/rollout-plan/${action}`, {
    path: { appId, deploymentId: id },
    body: commented(comment),
  });
}
