import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type ArtifactStatus,
  artifactStatuses,
  type ArtifactType,
  artifactTypes,
  type BuildArtifact,
} from './build-artifact.entity.js';

/** What a build produced. */
@ApiExample({ type: 'zip', status: 'ready', fileSizeInBytes: 482133, totalSizeInBytes: 482133 })
export class BuildArtifactDto {
  @ApiId()
  id!: string;

  @ApiId()
  appBuildId!: string;

  @ApiProperty({ enum: artifactTypes, enumName: 'BuildArtifactType' })
  type!: ArtifactType;

  /** Only `ready` artifacts can be downloaded. */
  @ApiProperty({ enum: artifactStatuses, enumName: 'BuildArtifactStatus' })
  status!: ArtifactStatus;

  /** `null` while pending, and for registered bundles. */
  fileName!: string | null;

  /** @example 'application/zip' */
  fileMimeType!: string | null;

  /** Bytes of the file. */
  @ApiProperty({ type: 'integer', nullable: true })
  fileSizeInBytes!: number | null;

  /** Bytes of all files of the artifact. */
  @ApiProperty({ type: 'integer', nullable: true })
  totalSizeInBytes!: number | null;

  /**
   * How often the artifact was downloaded, by people and devices. Of a bundle in manifest form, its manifest counts.
   * Some seconds late.
   */
  @ApiProperty({ type: 'integer' })
  totalDownloads!: number;

  /** Kind of device that the artifact is for; `null`: all. */
  formFactor!: string | null;

  /** Always `null`: use the download, or a signed address. */
  downloadUrl!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** Where to fetch an artifact from, for a short time, without a token. */
@ApiExample({ expiresAt: 1773481613000 })
export class SignedDownloadUrlDto {
  /** Absolute address. */
  @ApiProperty({ format: 'uri' })
  url!: string;

  /** Until when the address works, in Unix milliseconds. */
  @ApiProperty({ type: 'integer' })
  expiresAt!: number;
}

/** The response for an artifact. */
export function toBuildArtifactDto(artifact: BuildArtifact): BuildArtifactDto {
  return {
    id: artifact.id,
    appBuildId: artifact.buildId,
    type: artifact.type,
    status: artifact.status,
    fileName: artifact.fileName,
    fileMimeType: artifact.fileMimeType,
    fileSizeInBytes: artifact.fileSizeInBytes,
    totalSizeInBytes: artifact.totalSizeInBytes,
    totalDownloads: artifact.totalDownloads,
    formFactor: null,
    downloadUrl: null,
    createdAt: artifact.createdAt.toISOString(),
    updatedAt: artifact.updatedAt.toISOString(),
  };
}
