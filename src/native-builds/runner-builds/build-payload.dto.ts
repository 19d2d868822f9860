import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { type AppType, appTypes } from '../../apps/apps/app.entity.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_SHA256 } from '../../common/openapi/example-values.js';
import { type ProfileType, profileTypes } from '../../common/provisioning-profiles.js';
import { type BuildPlatform, buildPlatforms } from '../builds/build.entity.js';

/** The job. */
@ApiExample({ kind: 'build', platform: 'web', stack: 'macos-tahoe', attempt: 1, timeoutSeconds: 3600 })
export class PayloadJobDto {
  @ApiId()
  id!: string;

  /** What the job is: `build`. */
  kind!: string;

  @ApiProperty({ enum: buildPlatforms, enumName: 'BuildPlatform' })
  platform!: BuildPlatform;

  /** What the build runs on, such as `macos-tahoe`: a hint, except for iOS. */
  stack!: string;

  /** 1, or 2 after another runner was lost. */
  @ApiProperty({ type: 'integer' })
  attempt!: number;

  /** Seconds after which the job ends as `timed_out`. */
  @ApiProperty({ type: 'integer' })
  timeoutSeconds!: number;
}

/** The app. */
@ApiExample({ name: 'Shop', type: 'capacitor' })
export class PayloadAppDto {
  @ApiId()
  id!: string;

  /** Name of the app. */
  name!: string;

  @ApiProperty({ enum: appTypes, enumName: 'AppType' })
  type!: AppType;
}

/** The build. */
@ApiExample({
  numberAsString: '42',
  platform: 'web',
  type: null,
  gitRef: 'main',
  isDefaultBranch: true,
  cacheKey: 'none',
  mayWriteCache: true,
  noCache: false,
})
export class PayloadBuildDto {
  @ApiId()
  id!: string;

  /** Sequential per app, in digits. */
  numberAsString!: string;

  @ApiProperty({ enum: buildPlatforms, enumName: 'BuildPlatform' })
  platform!: BuildPlatform;

  /** Such as `debug` or `app-store`; `null` for web builds. */
  type!: string | null;

  /** Branch, tag or commit, as it was given; `null`: the source is an archive. */
  gitRef!: string | null;

  /** The commit that `gitRef` named when the build was created. */
  gitCommitSha!: string | null;

  /**
   * `gitRef` named the default branch of the repository when the build was created; `false` also for tags and commits.
   */
  isDefaultBranch!: boolean;

  /** Builds share caches only with those of the same app and key: others can run with other rights. */
  cacheKey!: string;

  /**
   * The build may write that cache: it is one of the default branch, and has no variables of its own, which could change
   * what later builds run.
   */
  mayWriteCache!: boolean;

  /** The build begins with empty caches. */
  noCache!: boolean;
}

/** What a runner may sign in with, and for which repositories. */
export class GitPayloadCredentialDto {
  /** The header `Authorization` for the address of the source. */
  authorization!: string;

  /**
   * The only other repositories that get it: submodules at the same host, by the paths of their addresses.
   * @example ['acme/shared-ui']
   */
  submoduleRepositories!: string[];

  /** Whether case and a final `.git` make a difference in these paths. */
  hasExactPaths!: boolean;
}

/** A commit of a repository. */
export class GitPayloadSourceDto {
  @ApiProperty({ enum: ['git'] })
  type!: 'git';

  /** Address for `git fetch`, without credentials. */
  @ApiProperty({ format: 'uri', example: 'https://git.example.com/shop/app.git' })
  url!: string;

  /** @example 'main' */
  ref!: string;

  /**
   * The branch or tag that `ref` was found to be; `null`: it is a commit.
   * @example 'refs/heads/main'
   */
  fullRef!: string | null;

  /** @example 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3' */
  commitSha!: string;

  /**
   * How many commits of the history to fetch; 0: all, with all tags.
   * @example 1
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  depth!: number;

  /** `null`: none is needed. */
  @ApiProperty({ type: GitPayloadCredentialDto, nullable: true })
  credential!: GitPayloadCredentialDto | null;
}

/** A zip. */
export class ArchivePayloadSourceDto {
  @ApiProperty({ enum: ['archive'] })
  type!: 'archive';

  /** @example '/v1/runner/job/source' */
  downloadPath!: string;

  /** @example 482133 */
  @ApiProperty({ type: 'integer' })
  sizeInBytes!: number;

  /** @example '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' */
  sha256!: string;
}

export type PayloadSourceDto = GitPayloadSourceDto | ArchivePayloadSourceDto;

/** A provisioning profile. */
export class PayloadProfileDto {
  /**
   * The identifier that Apple gave it.
   * @example '3f2c8a52-54c0-4ec8-8b4e-0f6d3c3a6a11'
   */
  uuid!: string;

  /** @example 'Shop ad hoc' */
  name!: string;

  @ApiProperty({ enum: profileTypes, enumName: 'ProvisioningProfileType' })
  type!: ProfileType;

  /** @example 'AB12CD34EF' */
  teamId!: string;

  /**
   * The bundle id that it is for, with `*` for any rest.
   * @example 'com.example.shop'
   */
  bundleId!: string;

  @ApiTime()
  expiresAt!: string;

  /**
   * The SHA-256 fingerprints of the certificates that it allows.
   * @example ['A1:B2:C3']
   */
  certificateFingerprints!: string[];

  /**
   * Base64.
   * @example 'MIIEvQ=='
   */
  file!: string;
}

/** A certificate in clear. */
export class PayloadCertificateDto {
  /**
   * `development` or `production`.
   * @example 'production'
   */
  type!: string;

  /** @example 'release.jks' */
  fileName!: string;

  /**
   * Base64.
   * @example 'MIIEvQ=='
   */
  file!: string;

  /** Opens the file; `null`: it needs none. */
  password!: string | null;

  /** Alias of the key in a keystore. */
  keyAlias!: string | null;

  /** Opens the key, if it differs from `password`. */
  keyPassword!: string | null;

  /** Of a certificate for iOS: its provisioning profiles for the type of the build. */
  @ApiProperty({ type: [PayloadProfileDto] })
  profiles!: PayloadProfileDto[];
}

/** What a configuration overwrites. */
export class PayloadConfigurationDto {
  /** Name of the app on the device; `null`: as in the project. */
  displayName!: string | null;

  /** Application id or bundle id; `null`: as in the project. */
  packageName!: string | null;

  /** The version as users see it; `null`: as in the project. */
  versionName!: string | null;

  /** The Android version code or iOS build number; `null`: as in the project. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1 })
  buildNumber!: number | null;
}

/** Everything that a runner needs for a build. */
@ApiExtraModels(GitPayloadSourceDto, ArchivePayloadSourceDto)
@ApiExample({
  source: {
    type: 'archive',
    downloadPath: '/v1/runner/job/source',
    sizeInBytes: 482133,
    sha256: EXAMPLE_SHA256,
  },
  environment: { CI: 'true', CI_BUILD_NUMBER: '42' },
  secrets: {},
  masks: [],
})
export class BuildPayloadDto {
  job!: PayloadJobDto;

  app!: PayloadAppDto;

  build!: PayloadBuildDto;

  /** Where the project comes from. */
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(GitPayloadSourceDto) }, { $ref: getSchemaPath(ArchivePayloadSourceDto) }],
  })
  source!: PayloadSourceDto;

  /** Variables of the build: of the environment, then of this build alone, then those that begin with `CI`. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  environment!: Record<string, string>;

  /** Secrets of the environment. They win over variables. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  secrets!: Record<string, string>;

  /** The certificate of an Android or iOS build. The server itself signs web builds. */
  @ApiProperty({ type: PayloadCertificateDto, nullable: true })
  certificate!: PayloadCertificateDto | null;

  @ApiProperty({ type: PayloadConfigurationDto, nullable: true })
  configuration!: PayloadConfigurationDto | null;

  /** Texts that must not appear in the log. */
  @ApiProperty({ type: [String] })
  masks!: string[];
}
