import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type ArtifactStatus,
  artifactStatuses,
  type BuildArtifact,
} from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { BundleWarningDto } from '../bundle-content/bundle-warning.dto.js';
import type { BundleWarning } from '../bundle-content/bundle-warnings.js';
import { type Bundle, type BundleType, bundleTypes } from './bundle.entity.js';

/** A live-update bundle: the artifact of a web build. */
@ApiExample({ warnings: [] })
export class BundleDto {
  /** Also the id of the build artifact. */
  @ApiId()
  id!: string;

  @ApiId()
  appBuildId!: string;

  /** The deployment that publishing made; `null` before, and when the app had no channel for it. */
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

  @ApiTime()
  createdAt!: string;

  /** What the publication found remarkable. Only the response to the request that publishes or registers the bundle has any. */
  warnings!: BundleWarningDto[];

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
  warnings: readonly BundleWarning[] = [],
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
    createdAt: bundle.createdAt.toISOString(),
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    pendingCompressions: null,
  };
}
