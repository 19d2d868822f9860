import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { ArtifactDetailsDto, toArtifactDetailsDto } from '../artifact-details/artifact-details.dto.js';
import type { ArtifactDetails } from '../artifact-details/artifact-details.entity.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { SignedAddressQuery } from './signed-address-query.dto.js';
import {
  type ArtifactStatus,
  artifactStatuses,
  type ArtifactType,
  artifactTypes,
  type BuildArtifact,
} from './build-artifact.entity.js';

/** What a build produced. */
@ApiExample({ type: 'zip', status: 'ready', fileSizeInBytes: 482133, totalSizeInBytes: 482133 })
export class BuildArtifactDto extends ArtifactDetailsDto {
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

  /** Address that downloads a `ready` artifact without a token, for 15 minutes; `null` in lists. */
  @ApiProperty({ format: 'uri' })
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

/** What belongs to an artifact besides its own columns. */
export interface ArtifactParts {
  readonly appId: string;
  /** `null`: the artifact is not one that is read. */
  readonly details: ArtifactDetails | null;
  /** A signed address; `null`: in a list. */
  readonly downloadUrl: string | null;
}

/** The response for an artifact. */
export function toBuildArtifactDto(
  artifact: BuildArtifact,
  { appId, details, downloadUrl }: ArtifactParts,
): BuildArtifactDto {
  const iconUrl = `/v1/apps/${appId}/builds/${artifact.buildId}/artifacts/${artifact.id}/icon`;
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
    ...toArtifactDetailsDto(details, iconUrl),
    downloadUrl,
    createdAt: artifact.createdAt.toISOString(),
    updatedAt: artifact.updatedAt.toISOString(),
  };
}

/** The file name of a download. */
export class FileNameQuery {
  /** File name for `Content-Disposition`; by default the artifact's own. */
  @QueryText()
  fileName?: string;
}

/** A download, with the parameters of a signed address. */
export class DownloadArtifactQuery extends SignedAddressQuery {
  /** File name for `Content-Disposition`; by default the artifact's own. */
  @QueryText()
  fileName?: string;
}
