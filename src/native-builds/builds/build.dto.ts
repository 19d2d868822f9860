import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { UserReferenceDto } from '../../accounts/users/user.dto.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { BuildArtifactDto } from '../build-artifacts/build-artifact.dto.js';
import { JobDto, JobStatuses } from '../../jobs/jobs/job.dto.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';
import type { Warning } from '../../common/warnings/warning.js';
import { toWarningDtos, WarningDto } from '../../common/warnings/warning.dto.js';
import { targetingOf, BuildTargetingDto, IsBuildText } from './create-build.dto.js';
import {
  ChannelDeploymentDto,
  DeploymentsOfBuildDto,
  DestinationDeploymentDto,
  toChannelDeploymentDto,
  toDeploymentsOfBuildDto,
  toDestinationDeploymentDto,
} from './build-deployments.dto.js';
import type { DeploymentOfBuild, PlannedDeployment } from './build-deployments.js';
import { type Build, type BuildPlatform, buildPlatforms } from './build.entity.js';

/** One build of an app: the web build of a live update, or a native build. */
@ApiExample({ platform: 'web', appBuildArtifactId: exampleId('BuildArtifact'), warnings: [] })
export class BuildDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /**
   * Sequential per app, from 1, as decimal text.
   * @example '42'
   */
  numberAsString!: string;

  @ApiProperty({ enum: buildPlatforms, enumName: 'BuildPlatform' })
  platform!: BuildPlatform;

  /** Such as `debug` or `app-store`; `null` for web builds, and for imports until their file says it. */
  type!: string | null;

  /** The job that makes the build; `null` for bundles that were uploaded or registered. */
  @ApiId()
  jobId!: string | null;

  /** The main artifact; for web builds it is the live-update bundle. */
  @ApiId()
  appBuildArtifactId!: string | null;

  @ApiId()
  appCertificateId!: string | null;

  @ApiId()
  appConfigurationId!: string | null;

  @ApiId()
  appEnvironmentId!: string | null;

  @ApiId()
  appBuildSourceId!: string | null;

  @ApiId()
  appAutomationId!: string | null;

  /** The channels that the build goes to after success. */
  channelDeployments!: ChannelDeploymentDto[];

  /** The destinations in stores that the build goes to after success. */
  destinationDeployments!: DestinationDeploymentDto[];

  /** What may surprise about the build. Only responses to requests that start it or change its native versions have any. */
  warnings!: WarningDto[];

  /** Texts for stores by locale. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  releaseNotes!: Record<string, string> | null;

  /** The user who started the build; `null` for uploaded and registered bundles. */
  @ApiId()
  createdBy!: string | null;

  /** Branch, tag or commit that was built. */
  gitRef!: string | null;

  /** Message of the commit that was built. */
  gitCommitMessage!: string | null;

  /** Branch or tag of the commit, as older clients send it. */
  gitCommitRef!: string | null;

  /** Hash of the commit. */
  gitCommitSha!: string | null;

  /** Name for people. */
  displayName!: string | null;

  /** Application id or bundle id of the native app. */
  packageName!: string | null;

  /** Version of the native app. */
  packageVersion!: string | null;

  /**
   * The version code or build number of the native app that it has taken from the store; `null`: its configuration says
   * another one, or the store has not given it yet.
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1, example: null })
  storeBuildNumber!: number | null;

  /** Key-value pairs that devices receive with the bundle. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  customProperties!: Record<string, string> | null;

  /** Lowest Android `versionCode` that receives the build. */
  minAndroidAppVersionCode!: string | null;

  /** Highest Android `versionCode` that receives the build. */
  maxAndroidAppVersionCode!: string | null;

  /** The Android `versionCode` that does not receive the build, because its binary already contains the code. */
  eqAndroidAppVersionCode!: string | null;

  /** Lowest iOS `CFBundleVersion` that receives the build. */
  minIosAppVersionCode!: string | null;

  /** Highest iOS `CFBundleVersion` that receives the build. */
  maxIosAppVersionCode!: string | null;

  /** The iOS `CFBundleVersion` that does not receive the build, because its binary already contains the code. */
  eqIosAppVersionCode!: string | null;

  /** Lowest Electron version that receives the build. */
  minElectronAppVersionCode!: string | null;

  /** Highest Electron version that receives the build. */
  maxElectronAppVersionCode!: string | null;

  /** The Electron version that does not receive the build, because its binary already contains the code. */
  eqElectronAppVersionCode!: string | null;

  /**
   * With the relation `job`. That of an uploaded or registered bundle is derived from the build: it has the id of the build,
   * and is `pending` until the bundle is published.
   */
  @ApiPropertyOptional({ type: JobDto, nullable: true })
  job?: JobDto | null;

  /** With the relation `appBuildArtifacts`. */
  appBuildArtifacts?: BuildArtifactDto[];

  /** With the relation `starter`: the user who started the build; `null`: none did, or the user was deleted. */
  @ApiPropertyOptional({ type: UserReferenceDto, nullable: true })
  starter?: UserReferenceDto | null;

  /** With the relation `appDeployments`, which requires `deployments:read`: its deployments to channels and destinations. */
  @ApiPropertyOptional({ type: DeploymentsOfBuildDto })
  appDeployments?: DeploymentsOfBuildDto;

  /**
   * With the relation `missingRunner`: what no registered runner has that its job needs, as one sentence; `null`: a runner
   * fits, or the job does not wait for one.
   * @example 'No runner for ios has the stack macos-tahoe.'
   */
  @ApiPropertyOptional({ type: 'string', nullable: true })
  missingRunner?: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** What belongs to a build besides its own columns. */
export interface BuildParts {
  /** Id of the main artifact. */
  readonly artifactId: string | null;
  /** The artifacts, when asked for. */
  readonly artifacts?: readonly BuildArtifactDto[];
  /** Where it goes after success. */
  readonly deployments: readonly PlannedDeployment[];
  /** The job, when asked for. */
  readonly job?: JobDto | null;
  /** Who has started it, when asked for. */
  readonly starter?: UserReferenceDto | null;
  /** Its newest deployments, newest first, when asked for. */
  readonly latest?: readonly DeploymentOfBuild[];
  /** What no runner has that it needs, when asked for. */
  readonly missingRunner?: string | null;
}

/** The response for a build. */
export function toBuildDto(build: Build, parts: BuildParts): BuildDto {
  return {
    id: build.id,
    appId: build.appId,
    numberAsString: String(build.number),
    platform: build.platform,
    type: build.type,
    jobId: build.jobId,
    appBuildArtifactId: parts.artifactId,
    appCertificateId: build.certificateId,
    appConfigurationId: build.configurationId,
    appEnvironmentId: build.environmentId,
    appBuildSourceId: build.buildSourceId,
    appAutomationId: build.automationId,
    channelDeployments: parts.deployments.flatMap(toChannelDeploymentDto),
    destinationDeployments: parts.deployments.flatMap(toDestinationDeploymentDto),
    warnings: [],
    releaseNotes: build.releaseNotes,
    createdBy: build.createdBy,
    gitRef: build.gitRef,
    gitCommitMessage: build.gitCommitMessage,
    gitCommitRef: build.gitCommitRef,
    gitCommitSha: build.gitCommitSha,
    displayName: build.displayName,
    packageName: build.packageName,
    packageVersion: build.packageVersion,
    storeBuildNumber: build.storeBuildNumber,
    ...targetingOf(build),
    ...(parts.job === undefined ? {} : { job: parts.job }),
    ...(parts.artifacts ? { appBuildArtifacts: [...parts.artifacts] } : {}),
    ...(parts.starter === undefined ? {} : { starter: parts.starter }),
    ...(parts.latest === undefined ? {} : { appDeployments: toDeploymentsOfBuildDto(parts.latest) }),
    ...(parts.missingRunner === undefined ? {} : { missingRunner: parts.missingRunner }),
    createdAt: build.createdAt.toISOString(),
    updatedAt: build.updatedAt.toISOString(),
  };
}

/** The response to a request that starts a build. */
export function withBuildWarnings(build: BuildDto, warnings: readonly Warning[]): BuildDto {
  return { ...build, warnings: toWarningDtos(warnings) };
}

/** What to include with a build. */
export class GetBuildQuery {
  @Relations('appBuildArtifacts', 'job', 'job.jobLogs', 'starter', 'appDeployments', 'missingRunner')
  relations?: string[];
}

/** Which builds to list. */
export class ListBuildsQuery extends PageQuery {
  @IsEmptyOr()
  @IsOneOf(buildPlatforms, 'BuildPlatform')
  platform?: BuildPlatform;

  /** Only builds whose jobs have one of these statuses, separated by commas. Uploaded bundles have that of their derived job. */
  @JobStatuses()
  status?: string[];

  /**
   * Only the build with this number.
   * @example '42'
   */
  @QueryText()
  numberAsString?: string;

  /** Only builds that this automation started. */
  @QueryText()
  appAutomationId?: string;

  /** Only builds of this branch, tag or commit. */
  @QueryText()
  appGitCommit?: string;

  /** Only builds whose id contains, or whose number equals, this text. */
  @QueryText()
  query?: string;

  @Relations('appBuildArtifacts', 'job', 'job.jobLogs', 'starter', 'appDeployments', 'missingRunner')
  relations?: string[];
}

/** Changes to a build; absent fields stay as they are, `null` clears. */
@ApiExample({ displayName: 'Spring' })
export class UpdateBuildDto extends BuildTargetingDto {
  /** Name for people, at most 1,000 characters. */
  @IsBuildText()
  displayName?: string | null;

  /** Application id or bundle id of the native app. */
  @IsBuildText()
  packageName?: string | null;

  /** Version of the native app. */
  @IsBuildText()
  packageVersion?: string | null;
}
