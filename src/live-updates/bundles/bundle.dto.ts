import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { MinDate } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type ArtifactStatus,
  artifactStatuses,
  type BuildArtifact,
} from '../../native-builds/build-artifacts/build-artifact.entity.js';
import type { Warning } from '../../common/warnings/warning.js';
import { toWarningDtos, WarningDto } from '../../common/warnings/warning.dto.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable, IsEmptyOr, IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { BuildTargetingDto, IsBuildText } from '../../native-builds/builds/create-build.dto.js';
import { IsRegisteredUrl } from '../bundle-content/registered-url.decorator.js';
import { EmergencyInputDto, IsEmergency } from '../deployments/emergency.dto.js';
import { IsBase64Signature, IsSha256 } from '../bundle-content/file-digests.decorators.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { databaseNow } from '../../common/database-clock.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { type Bundle, type BundleType, bundleTypes } from './bundle.entity.js';

/** When a bundle expires: a time in the future, absent or `null`. */
function IsBundleExpiry(): PropertyDecorator {
  return applyDecorators(
    IsNullable(),
    ApiPropertyOptional({ nullable: true }),
    MinDate(() => databaseNow(), { message: '$property must be in the future.' }),
    IsDateInput(),
  );
}

/** A live-update bundle: the artifact of a web build. */
@ApiExample({ warnings: [] })
export class BundleDto {
  /** Also the id of the build artifact. */
  @ApiId()
  id!: string;

  @ApiId()
  appBuildId!: string;

  /**
   * The deployment that publishing made; `null` before, and when the app had no channel for it. If the app skips unchanged
   * content, only the response to the publication has it: the deployment that has the content already.
   */
  @ApiId()
  appDeploymentId!: string | null;

  @ApiProperty({ enum: bundleTypes, enumName: 'BundleType' })
  artifactType!: BundleType;

  @ApiProperty({ enum: artifactStatuses, enumName: 'BuildArtifactStatus' })
  artifactStatus!: ArtifactStatus;

  /** From this time on, only devices that run the bundle are offered it; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** Start of the legal hold, which prevents deletion; `null`: no legal hold. */
  @ApiTime()
  legalHoldAt!: string | null;

  /** Reason for the legal hold; `null`: no legal hold. */
  @ApiProperty({ type: 'string', nullable: true })
  legalHoldReason!: string | null;

  /** What is new, for the deployment that publishing makes; `null`: nothing is said. */
  @ApiProperty({ type: 'string', nullable: true })
  notes!: string | null;

  @ApiTime()
  createdAt!: string;

  /**
   * What the publication found remarkable, and what it means for devices. Only responses to requests that publish, register or
   * change the bundle have any.
   */
  warnings!: WarningDto[];

  /**
   * How many files of the published bundle still have to be compressed, its manifests among them. The background worker
   * compresses them next; until then, devices get them uncompressed. `null` in all responses but that to a `PATCH` with
   * `artifactStatus: "ready"`, which you may repeat.
   */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 0 })
  pendingCompressions!: number | null;
}

/** The response for a bundle. */
export function toBundleDto(
  bundle: Bundle,
  artifact: Pick<BuildArtifact, 'buildId' | 'type' | 'status'>,
  warnings: readonly Warning[] = [],
): BundleDto {
  return {
    id: bundle.id,
    appBuildId: artifact.buildId,
    appDeploymentId: bundle.deploymentId,
    artifactType: artifact.type as BundleType,
    artifactStatus: artifact.status,
    expiresAt: bundle.expiresAt?.toISOString() ?? null,
    legalHoldAt: bundle.legalHoldAt?.toISOString() ?? null,
    legalHoldReason: bundle.legalHoldReason,
    notes: bundle.notes,
    createdAt: bundle.createdAt.toISOString(),
    warnings: toWarningDtos(warnings),
    pendingCompressions: null,
  };
}

/** A new bundle, to upload or to register by URL. */
export class CreateBundleDto extends BuildTargetingDto {
  /** One zip, or a manifest and its files. */
  @IsOneOf(bundleTypes, 'BundleType')
  artifactType!: BundleType;

  /**
   * The channel that the bundle goes to when it is ready; absent: the app's default channel.
   * @example 'production'
   */
  @IsNullable()
  @IsName()
  channelName?: string | null;

  /** Share of devices that receive the bundle, 0 to 1; absent: all. */
  @IsNullable()
  @IsShare()
  rolloutPercentage?: number | null;

  /** What is new, at most 4,000 characters: the `notes` of the deployment. Devices do not get it. */
  @IsNullable()
  @IsText(4000)
  notes?: string | null;

  /**
   * URL of a zip that you host yourself: `https`, or `http` on `localhost`, without credentials and fragment. Characters
   * that RFC 3986 does not allow are percent-encoded. Such a bundle is registered, not uploaded, and ready at once.
   */
  @IsNullable()
  @IsRegisteredUrl()
  url?: string | null;

  /**
   * SHA-256 of the registered zip, hexadecimal. Without it and without a signature, the Capacitor plugin on Android is not
   * offered the bundle in the versions 6.7 to 6.8 and 7.1 to 7.3, which cannot install it: the response has the warning
   * `missing_checksum`.
   */
  @IsNullable()
  @IsSha256()
  checksum?: string | null;

  /** Signature of the registered zip, Base64 (RSA PKCS#1 v1.5 over SHA-256). */
  @IsNullable()
  @IsBase64Signature()
  signature?: string | null;

  /** From this time on, only devices that run the bundle are offered it; `null`: never. Also accepts Unix milliseconds. */
  @IsBundleExpiry()
  expiresAt?: Date | null;

  /**
   * For a registered bundle: deploys it without approvals, even during a freeze. Requires the permission
   * `deployments:override`.
   */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;

  /** Branch, tag or commit that was built. */
  @IsBuildText()
  gitRef?: string | null;

  /** Message of the commit that was built. */
  @IsBuildText()
  gitCommitMessage?: string | null;

  /** Branch or tag of the commit; `gitRef` is preferred. */
  @IsBuildText()
  gitCommitRef?: string | null;

  /** Hash of the commit; `gitRef` is preferred. */
  @IsBuildText()
  gitCommitSha?: string | null;
}

/** Which bundles to list. */
export class ListBundlesQuery extends PageQuery {
  /** Only the bundle of this build. */
  @IsEmptyOr()
  @IsId()
  appBuildId?: string;

  /** `pending`: only bundles that are not published yet; `ready`: only published ones. */
  @IsEmptyOr()
  @IsOneOf(artifactStatuses, 'BuildArtifactStatus')
  artifactStatus?: ArtifactStatus;

  /** Only bundles whose id contains this text. */
  @QueryText()
  query?: string;
}

/** A change to a bundle, such as the completion of its upload. */
@ApiExample({ artifactStatus: 'ready' })
export class UpdateBundleDto extends BuildTargetingDto {
  /** `ready` verifies the upload and publishes it. Repeating it changes nothing. */
  @IsAbsentOr()
  @IsOneOf(artifactStatuses, 'BuildArtifactStatus')
  artifactStatus?: ArtifactStatus;

  /** For a zip: the file of the bundle. */
  @IsNullable()
  @IsId()
  appBundleFileId?: string | null;

  /** Share of devices that receive the bundle, 0 to 1. */
  @IsAbsentOr()
  @IsShare()
  rolloutPercentage?: number;

  /** From this time on, only devices that run the bundle are offered it; `null`: never. Also accepts Unix milliseconds. */
  @IsBundleExpiry()
  expiresAt?: Date | null;

  /**
   * Publishes it without approvals, even during a freeze, or raises its share during one. Requires the permission
   * `deployments:override`.
   */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
