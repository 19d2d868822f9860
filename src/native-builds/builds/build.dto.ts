import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { BuildArtifactDto } from '../build-artifacts/build-artifact.dto.js';
import { BuildWarningDto } from '../build-settings/build-warning.dto.js';
import type { BuildWarning } from '../build-settings/build-warnings.js';
import { JobDto } from '../../jobs/jobs/job.dto.js';
import { targetingOf } from './build-targeting.dto.js';
import type { PlannedDeployment } from './build-deployments.js';
import { type Build, type BuildPlatform, buildPlatforms } from './build.entity.js';
import {
  ChannelDeploymentDto,
  DestinationDeploymentDto,
  toChannelDeploymentDto,
  toDestinationDeploymentDto,
} from './planned-deployment.dto.js';

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

  /** What may surprise about the build. Only the response to the request that starts it has any. */
  warnings!: BuildWarningDto[];

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
    createdAt: build.createdAt.toISOString(),
    updatedAt: build.updatedAt.toISOString(),
  };
}

/** The response to a request that starts a build. */
export function withBuildWarnings(build: BuildDto, warnings: readonly BuildWarning[]): BuildDto {
  return { ...build, warnings: warnings.map(({ code, message }) => ({ code, message })) };
}
