import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { type FinalJobStatus, finalJobStatuses, type Job } from '../../jobs/jobs/job.entity.js';
import { secondsBetween } from '../../jobs/jobs/job.dto.js';
import { type Build, type BuildPlatform, buildPlatforms } from './build.entity.js';

const EXAMPLE_COMMIT = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A build that a runner makes. */
@ApiExample({
  platform: 'android',
  type: 'release',
  gitRef: 'main',
  gitCommitSha: EXAMPLE_COMMIT,
  attempt: 1,
})
export class BuildStartedEventDto {
  @ApiId()
  appBuildId!: string;

  /**
   * Sequential per app, as decimal text.
   * @example '42'
   */
  numberAsString!: string;

  @ApiProperty({ enum: buildPlatforms, enumName: 'BuildPlatform' })
  platform!: BuildPlatform;

  /** Such as `debug` or `app-store`; `null`: a web build, or an import whose file was not read. */
  type!: string | null;

  @ApiId()
  jobId!: string;

  /** Branch, tag or commit that is built; `null`: not known. */
  gitRef!: string | null;

  /** Hash of the commit; `null`: not known. */
  gitCommitSha!: string | null;

  /** How often a runner has started it: 2 when the first one was lost; 0: no runner executes it. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 2 })
  attempt!: number;
}

/** A build, or an import, whose job has ended. */
@ApiExample({
  platform: 'android',
  type: 'release',
  gitRef: 'main',
  gitCommitSha: EXAMPLE_COMMIT,
  attempt: 1,
  status: 'failed',
  durationInSeconds: 74,
})
export class BuildFinishedEventDto extends BuildStartedEventDto {
  @ApiProperty({ enum: finalJobStatuses, enumName: 'FinalJobStatus' })
  status!: FinalJobStatus;

  /**
   * Why it has not succeeded, in a sentence; `null`: it has, or there is nothing to say.
   * @example 'The command npm run build has failed.'
   */
  statusMessage!: string | null;

  /**
   * The step that failed; `null`: none did, or the runner did not say.
   * @example 'build'
   */
  failedStep!: string | null;

  /** From its start, in whole seconds; `null`: it did not start. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 0 })
  durationInSeconds!: number | null;

  /** The main artifact; `null`: it has none. */
  @ApiId()
  appBuildArtifactId!: string | null;

  /** Application id or bundle id of the native app. */
  packageName!: string | null;

  /** Version of the native app. */
  packageVersion!: string | null;

  /** Name of the native app. */
  displayName!: string | null;
}

/** @param job of the build, as it is now */
export function toBuildStartedEventDto(build: Build, job: Job): BuildStartedEventDto {
  return {
    appBuildId: build.id,
    numberAsString: String(build.number),
    platform: build.platform,
    type: build.type,
    jobId: job.id,
    gitRef: build.gitRef,
    gitCommitSha: build.gitCommitSha,
    attempt: job.attempts,
  };
}

/** @param job of the build, which has ended @param artifactId of its main artifact */
export function toBuildFinishedEventDto(
  build: Build,
  job: Job,
  artifactId: string | null,
): BuildFinishedEventDto {
  return {
    ...toBuildStartedEventDto(build, job),
    status: job.status as FinalJobStatus,
    statusMessage: job.statusMessage,
    failedStep: job.failedStep,
    durationInSeconds: secondsBetween(job.inProgressAt, job.finishedAt),
    appBuildArtifactId: artifactId,
    packageName: build.packageName,
    packageVersion: build.packageVersion,
    displayName: build.displayName,
  };
}
