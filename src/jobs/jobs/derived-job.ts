import { type JobDto, secondsBetween } from './job.dto.js';

export interface JobOrigin extends Pick<
  JobDto,
  'id' | 'appId' | 'organizationId' | 'appBuildId' | 'appDeploymentId' | 'createdBy'
> {
  readonly createdAt: Date;
  /** `null`: its bundle is being uploaded. */
  readonly finishedAt: Date | null;
}

/**
 * What clients get as the job of a build that was uploaded, or of a deployment to a channel. Nothing had to be done in the
 * background, so there is no such job; but clients wait for the end of one, and read its status before they download.
 */
export function toDerivedJobDto({ createdAt, finishedAt, ...origin }: JobOrigin): JobDto {
  return {
    ...origin,
    status: finishedAt === null ? 'pending' : 'succeeded',
    statusMessage: null,
    platform: null,
    stack: '',
    labels: [],
    attempts: 0,
    timeoutInSeconds: null,
    failedStep: null,
    runnerId: null,
    jobLogs: [],
    queuedAt: null,
    pendingAt: null,
    inProgressAt: null,
    canceledAt: null,
    finishedAt: finishedAt?.toISOString() ?? null,
    canceledBy: null,
    queueTimeInSeconds: null,
    pendingTimeInSeconds: null,
    inProgressTimeInSeconds: null,
    totalTimeInSeconds: secondsBetween(createdAt, finishedAt),
    createdAt: createdAt.toISOString(),
  };
}
