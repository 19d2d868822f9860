import { queryOptions } from '@tanstack/react-query';
import { releaseName, statusAtZero } from '../parts/release';
import type { Status } from '../parts/status';
import { request } from './client';
import type { components } from './schema';
import { serverNow } from './server-time';

/** Apps of one request. */
export const MAX_SUMMARIES = 100;
/** Milliseconds between two requests until devices are counted for the first time. */
const FIRST_COUNT = 3000;
/** The same afterwards: the server counts again this often while it is asked. */
const NEXT_COUNT = 10_000;

type Summary = components['schemas']['AppSummaryDto'];

/** A channel in a row: what it gives to whom. */
export interface ChannelSummary {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  /** What devices get; `null`: nothing is deployed. */
  readonly release: string | null;
  /** 0 to 1. */
  readonly share: number | null;
  /** Devices of today; `null`: not counted yet. */
  readonly daily: number | null;
  /** Devices of 30 days; `null`: not counted yet. */
  readonly monthly: number | null;
  /** Those of them that run the release; `null`: not counted yet. */
  readonly running: number | null;
  readonly nextStep: { readonly share: number; readonly at: Date } | null;
}

export interface AppSummary extends Pick<
  Summary,
  | 'appId'
  | 'days'
  | 'daily'
  | 'monthly'
  | 'openSubmissions'
  | 'totalOpenSubmissions'
  | 'lastBuild'
  | 'countedAt'
  | 'totalChannels'
> {
  /** Those with the most devices first. */
  readonly channels: readonly ChannelSummary[];
}

/** How apps of an organization are. @param ids at most `MAX_SUMMARIES`; with one app, its channels from `channelOffset` on */
export const summariesQuery = (organizationId: string | null, ids: readonly string[], channelOffset = 0) =>
  queryOptions<AppSummary[]>({
    queryKey: ['summaries', ids.length === 1 ? ids[0] : organizationId, ids, channelOffset],
    enabled: organizationId !== null && ids.length > 0,
    // Devices that check in cause no hint.
    refetchInterval: ({ state }) =>
      state.data?.some(({ countedAt }) => countedAt === null) ? FIRST_COUNT : NEXT_COUNT,
    queryFn: async ({ signal }): Promise<AppSummary[]> => {
      const summaries = await request('get', '/v1/organizations/{organizationId}/app-summaries', {
        path: { organizationId: organizationId! },
        query: { ids: ids.join(','), ...(channelOffset > 0 && { channelOffset }) },
        signal,
      });
      return summaries.map((summary) => ({ ...summary, channels: summary.channels.map(channelOf) }));
    },
  });

/** A channel of an app; `null`: it is not among those with the most devices. */
export function channelSummary(
  summaries: readonly AppSummary[] | undefined,
  appId: string,
  channelId: string,
): ChannelSummary | null {
  return summaries?.find((each) => each.appId === appId)?.channels.find(({ id }) => id === channelId) ?? null;
}

function channelOf(channel: Summary['channels'][number]): ChannelSummary {
  const { id, name, deployment, daily, monthly } = channel;
  return {
    id,
    name,
    daily,
    monthly,
    status: statusOf(channel),
    release: deployment === null ? null : releaseName(deployment),
    share: deployment?.rolloutPercentage ?? null,
    running: deployment?.devices ?? null,
    nextStep: nextStepOf(deployment?.plan ?? null),
  };
}

function statusOf({ deployment, expiresAt, pausedAt }: Summary['channels'][number]): Status {
  if (expiresAt !== null && Date.parse(expiresAt) <= serverNow()) return 'expired';
  if (pausedAt !== null) return 'paused';
  if (deployment === null) return 'empty';
  if (deployment.plan?.state === 'held') return 'held';
  if (deployment.rolloutPercentage === 0) return statusAtZero(deployment.takenBackAt, deployment.plan);
  return deployment.rolloutPercentage < 1 ? 'rollingOut' : 'live';
}

function nextStepOf(
  plan: NonNullable<Summary['channels'][number]['deployment']>['plan'],
): ChannelSummary['nextStep'] {
  if (plan === null || plan.stepEndsAt === null || plan.stepIndex === null) return null;
  const next = plan.steps[plan.stepIndex + 1];
  return next === undefined ? null : { share: next.percentage, at: new Date(plan.stepEndsAt) };
}
