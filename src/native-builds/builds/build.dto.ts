import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { BuildArtifactDto } from '../build-artifacts/build-artifact.dto.js';
import { type Build, type BuildPlatform, buildPlatforms } from './build.entity.js';

/** One build of an app: the web build of a live update, or a native build. */
@ApiExample({ platform: 'web', appBuildArtifactId: exampleId('BuildArtifact') })
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

  /** Such as `debug` or `app-store`; `null` for web builds. */
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

  /** With the relation `job`: always `null` for uploaded and registered bundles. */
  @ApiPropertyOptional({ enum: [null], nullable: true })
  job?: null;

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
  /** Whether the relation `job` was asked for. */
  readonly withJob?: boolean;
}

/** The response for a build. */
export function toBuildDto(build: Build, parts: BuildParts): BuildDto {
  return {
    id: build.id,
    appId: build.appId,
    numberAsString: String(build.number),
    platform: build.platform,
    type: build.type,
    // Only builds that a runner makes have a job, a source and what was chosen for it.
    jobId: null,
    appBuildArtifactId: parts.artifactId,
    appCertificateId: null,
    appConfigurationId: null,
    appEnvironmentId: null,
    appBuildSourceId: null,
    appAutomationId: null,
    gitRef: build.gitRef,
    gitCommitMessage: build.gitCommitMessage,
    gitCommitRef: build.gitCommitRef,
    gitCommitSha: build.gitCommitSha,
    displayName: build.displayName,
    packageName: build.packageName,
    packageVersion: build.packageVersion,
    customProperties: build.customProperties,
    minAndroidAppVersionCode: build.minAndroidAppVersionCode,
    maxAndroidAppVersionCode: build.maxAndroidAppVersionCode,
    eqAndroidAppVersionCode: build.eqAndroidAppVersionCode,
    minIosAppVersionCode: build.minIosAppVersionCode,
    maxIosAppVersionCode: build.maxIosAppVersionCode,
    eqIosAppVersionCode: build.eqIosAppVersionCode,
    minElectronAppVersionCode: build.minElectronAppVersionCode,
    maxElectronAppVersionCode: build.maxElectronAppVersionCode,
    eqElectronAppVersionCode: build.eqElectronAppVersionCode,
    ...(parts.withJob ? { job: null } : {}),
    ...(parts.artifacts ? { appBuildArtifacts: [...parts.artifacts] } : {}),
    createdAt: build.createdAt.toISOString(),
    updatedAt: build.updatedAt.toISOString(),
  };
}
