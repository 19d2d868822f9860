import type { Build } from '../api/types';
import type { Status } from './status';

export type Platform = Build['platform'];

/** The platforms of builds, as people call them. */
export const platforms: Readonly<Record<Platform, string>> = { web: 'Web', android: 'Android', ios: 'iOS' };

/** The types of native builds, the default first. */
export const buildTypes: Readonly<Record<Platform, readonly string[]>> = {
  web: [],
  android: ['debug', 'release'],
  ios: ['simulator', 'development', 'ad-hoc', 'app-store', 'enterprise'],
};

/** How far a build is. */
export function buildStatus({ job }: Pick<Build, 'job'>): Status {
  switch (job?.status) {
    case undefined:
    case 'succeeded':
      return 'succeeded';
    case 'queued':
      return 'queued';
    case 'pending':
    case 'in_progress':
      return 'building';
    case 'canceled':
      return 'canceled';
    default:
      return 'failed';
  }
}

/** Whether a build has a job that has not ended. */
export const isOpen = ({ jobId, job }: Build): boolean => jobId !== null && job?.finishedAt === null;

/** How long a build took, or takes so far, without the time in the queue, in milliseconds; `null`: it has not started, or was uploaded. */
export function buildTime({ jobId, job }: Build, now: Date): number | null {
  if (jobId === null || job == null || job.inProgressAt === null) return null;
  const end = job.finishedAt === null ? now.getTime() : Date.parse(job.finishedAt);
  return Math.max(end - Date.parse(job.inProgressAt), 0);
}

/** What was built: a branch or tag, and the commit. */
export function sourceOf({ gitRef, gitCommitRef, gitCommitSha }: Build): string[] {
  const ref = gitRef ?? gitCommitRef;
  const commit = gitCommitSha?.slice(0, 7);
  return [ref, commit].filter((text): text is string => !!text && text !== gitCommitSha);
}

/** The first line of what was written about the commit. */
export const messageOf = ({ gitCommitMessage }: Build): string | null =>
  gitCommitMessage?.split('\n')[0]?.trim() || null;

/** Where a build went, each place once, newest first. */
export function placesOf({ appDeployments }: Build): string[] {
  const names = appDeployments?.latest.map(
    ({ appChannelName, appDestinationName }) => appChannelName ?? appDestinationName ?? 'a store',
  );
  return [...new Set(names)];
}
