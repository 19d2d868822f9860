import { queryOptions } from '@tanstack/react-query';
import { commented } from './channels';
import { fetchApi, request } from './client';
import type { NewBuild, NewShare } from './types';

/** Enough for the names of what devices run. */
const BUILDS = 100;
/** Builds of one page. */
export const BUILDS_OF_PAGE = 20;
/** Most environments, certificates and destinations that are offered. */
const OFFERED = 100;

/** The newest builds of an app, of all platforms, with their jobs. */
export const latestBuildsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['builds', appId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/builds', {
        path: { appId },
        query: { relations: 'job', limit: BUILDS },
        signal,
      }),
  });

/** Which builds a list has. */
export interface BuildFilter {
  readonly platform?: 'android' | 'ios' | 'web' | undefined;
  /** Statuses of jobs, separated by commas. */
  readonly status?: string | undefined;
  /** A branch, a tag or a commit. */
  readonly ref?: string | undefined;
}

/** Builds of an app, newest first, with their jobs, who started them, and where they went. @param page from 1 */
export const buildsQuery = (appId: string, { platform, status, ref }: BuildFilter, page: number) =>
  queryOptions({
    queryKey: ['builds', appId, platform, status, ref, page],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/builds', {
        path: { appId },
        query: {
          relations: 'job,starter,appDeployments',
          limit: BUILDS_OF_PAGE + 1,
          offset: (page - 1) * BUILDS_OF_PAGE,
          platform,
          status,
          appGitCommit: ref,
        },
        signal,
      }),
  });

/** The builds whose number is a text, or whose id has it. */
export const foundBuildsQuery = (appId: string, text: string) =>
  queryOptions({
    queryKey: ['builds', appId, 'found', text],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/builds', {
        path: { appId },
        query: { query: text, limit: 5 },
        signal,
      }),
  });

/** A build with its job, its files, who started it, where it went, and why no runner takes it. */
export const buildQuery = (appId: string, buildId: string) =>
  queryOptions({
    queryKey: ['build', appId, buildId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/builds/{buildId}', {
        path: { appId, buildId },
        query: { relations: 'job,appBuildArtifacts,starter,appDeployments,missingRunner' },
        signal,
      }),
  });

/** The repository that an app is built from; `null`: it is linked to none. */
export const repositoryQuery = (appId: string) =>
  queryOptions({
    queryKey: ['repository', appId],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (
        await request('get', '/v1/apps/{appId}', {
          path: { appId },
          query: { relations: 'repository' },
          signal,
        })
      ).repository ?? null,
  });

/** Starts a build. @param key of the click */
export function startBuild(appId: string, body: NewBuild, key: string) {
  return request('post', '/v1/apps/{appId}/builds', { path: { appId }, body, idempotencyKey: key });
}

/** Cancels a job that has not ended. */
export function cancelJob(jobId: string): Promise<unknown> {
  return request('patch', '/v1/jobs/{jobId}', { path: { jobId }, body: { status: 'canceled' } });
}

/** Sends a build to a destination in a store. @param key of the click */
export function submitBuild(
  appId: string,
  destinationId: string,
  buildId: string,
  comment: string,
  key: string,
): Promise<unknown> {
  return request('post', '/v1/apps/{appId}/deployments', {
    path: { appId },
    body: { appBuildId: buildId, appDestinationId: destinationId, ...commented(comment) },
    idempotencyKey: key,
  });
}

/** The environments of an app by name. */
export const environmentsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['environments', appId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/environments', { path: { appId }, query: { limit: OFFERED }, signal }),
  });

/** The certificates of an app by name, of all platforms. */
export const certificatesQuery = (appId: string) =>
  queryOptions({
    queryKey: ['certificates', appId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/certificates', { path: { appId }, query: { limit: OFFERED }, signal }),
  });

/** The destinations of an app in stores. */
export const destinationsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['destinations', appId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/destinations', { path: { appId }, query: { limit: OFFERED }, signal }),
  });

/** The pages that show a build to those who have their address, newest first. */
export const sharesQuery = (appId: string, buildId: string) =>
  queryOptions({
    queryKey: ['build-shares', appId, buildId],
    queryFn: ({ signal }) =>
      request('get', '/v1/apps/{appId}/builds/{buildId}/shares', { path: { appId, buildId }, signal }),
  });

/** Shares a build. @param key of the click */
export function shareBuild(appId: string, buildId: string, body: NewShare, key: string) {
  return request('post', '/v1/apps/{appId}/builds/{buildId}/shares', {
    path: { appId, buildId },
    body,
    idempotencyKey: key,
  });
}

/** Ends a share: its page is gone. */
export async function endShare(appId: string, buildId: string, buildShareId: string): Promise<void> {
  await request('delete', '/v1/apps/{appId}/builds/{buildId}/shares/{buildShareId}', {
    path: { appId, buildId, buildShareId },
  });
}

/** An address, for some minutes, that downloads a file of a build. */
export async function downloadAddress(
  appId: string,
  buildId: string,
  buildArtifactId: string,
): Promise<string> {
  const path = { appId, buildId, buildArtifactId };
  const address =
    '/v1/apps/{appId}/builds/{buildId}/artifacts/{buildArtifactId}/signed-download-url' as const;
  return (await request('get', address, { path })).url;
}

/** The icon of an app, which takes a signed-in user, as an address of this page. @param iconUrl `null`: it has none */
export const iconQuery = (iconUrl: string | null) =>
  queryOptions({
    queryKey: ['icon', iconUrl],
    enabled: iconUrl !== null,
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }) =>
      URL.createObjectURL(
        await (await fetchApi(new URL(iconUrl!, location.origin).pathname, { signal })).blob(),
      ),
  });
