import { dayAfter } from '../insights/days.js';
import type { AppCount, ChannelCount } from './app-counts.queries.js';
import type { AppFacts } from './app-facts.js';
import { type ActiveDeployment, type ChannelRow, DAYS, type SubmissionRow } from './app-facts.queries.js';
import type {
  AppSummaryBuildDto,
  AppSummaryChannelDto,
  AppSummaryDayDto,
  AppSummaryDeploymentDto,
  AppSummaryDto,
  AppSummarySubmissionDto,
} from './app-summary.dto.js';

/** A channel that no device has used in thirty days. */
const NONE = { daily: 0, monthly: 0, bundleId: null, running: 0 };

/**
 * The response for an app.
 *
 * @param count `null`: its devices were not counted yet
 * @param today such as `2026-03-14`
 */
export function toAppSummaryDto(
  { app, channels, openSubmissions, days }: AppFacts,
  count: AppCount | null,
  today: string,
): AppSummaryDto {
  return {
    appId: app.appId,
    countedAt: count?.countedAt.toISOString() ?? null,
    daily: count?.day === today ? count.daily : null,
    monthly: count?.monthly ?? null,
    days: toDayDtos(days, count, today),
    channels: channels.map((channel) => toChannelDto(channel, count, today)),
    totalChannels: app.totalChannels,
    lastBuild: toBuildDto(app.lastBuild),
    openSubmissions: openSubmissions.map(toSubmissionDto),
    totalOpenSubmissions: app.totalOpenSubmissions,
  };
}

/** Those that were counted for good, and the last two, which the count has. */
function toDayDtos(stored: AppFacts['days'], count: AppCount | null, today: string): AppSummaryDayDto[] {
  const days = new Map(count === null ? [] : [[count.day, count.daily]]);
  if (count !== null) days.set(dayAfter(Date.parse(count.day), -1), count.yesterday);
  for (const { day, daily } of stored) days.set(day, daily);
  const first = dayAfter(Date.parse(today), 1 - DAYS);
  return [...days]
    .filter(([day]) => day >= first)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, daily]) => ({ day, daily }));
}

function toChannelDto(channel: ChannelRow, count: AppCount | null, today: string): AppSummaryChannelDto {
  const own = count === null ? null : (count.channels.get(channel.id) ?? NONE);
  return {
    id: channel.id,
    name: channel.name,
    pausedAt: channel.pausedAt?.toISOString() ?? null,
    expiresAt: channel.expiresAt?.toISOString() ?? null,
    deployment:
      channel.deployment === null ? null : toDeploymentDto(channel.deployment, channel.bundleId, own),
    daily: count?.day === today ? (own?.daily ?? null) : null,
    monthly: own?.monthly ?? null,
  };
}

/** @param bundleId what the channel delivers now: when it was another one at the count, no one knows how many run it */
function toDeploymentDto(
  deployment: ActiveDeployment,
  bundleId: string | null,
  count: ChannelCount | null,
): AppSummaryDeploymentDto {
  const isCounted = count !== null && (count.bundleId === bundleId || count.monthly === 0);
  return {
    id: deployment.id,
    appBuildId: deployment.buildId,
    numberAsString: String(deployment.number),
    displayName: deployment.displayName,
    gitCommitSha: deployment.gitCommitSha,
    rolloutPercentage: deployment.rolloutPercentage,
    takenBackAt: deployment.takenBackAt,
    plan: deployment.plan,
    devices: isCounted ? count.running : null,
    createdBy: deployment.createdBy,
    createdAt: deployment.createdAt,
  };
}

function toBuildDto(build: AppFacts['app']['lastBuild']): AppSummaryBuildDto | null {
  if (build === null) return null;
  const { number, ...rest } = build;
  return { ...rest, numberAsString: String(number) };
}

function toSubmissionDto(submission: SubmissionRow): AppSummarySubmissionDto {
  return {
    id: submission.id,
    appDestinationId: submission.destinationId,
    appDestinationName: submission.destinationName,
    action: submission.action,
    state: submission.state,
    message: submission.message,
    versionName: submission.versionName,
    createdAt: submission.createdAt.toISOString(),
  };
}
