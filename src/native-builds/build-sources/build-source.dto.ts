import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { withoutQuery } from './source-addresses.js';
import { type BuildSource, type BuildSourceStatus, buildSourceStatuses } from './build-source.entity.js';

/** The zip of a project folder that builds are made of. */
@ApiExample({ type: 'archive', status: 'pending', fileSizeInBytes: 482133 })
export class BuildSourceDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  @ApiProperty({ enum: ['archive'], enumName: 'BuildSourceType' })
  type!: 'archive';

  /** A build of a `pending` source that is being fetched waits for it. */
  @ApiProperty({ enum: buildSourceStatuses, enumName: 'BuildSourceStatus' })
  status!: BuildSourceStatus;

  /** Why the source could not be fetched and stays `pending`. */
  statusMessage!: string | null;

  /** Bytes of the zip; `null` until it is fetched. */
  @ApiProperty({ type: 'integer', nullable: true })
  fileSizeInBytes!: number | null;

  /** The address that the zip is fetched from, without its query; `null`: it is uploaded. */
  fileUrl!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a build source. */
export function toBuildSourceDto(source: BuildSource): BuildSourceDto {
  return {
    id: source.id,
    appId: source.appId,
    type: 'archive',
    status: source.status,
    statusMessage: source.failure,
    fileSizeInBytes: source.sizeInBytes,
    fileUrl: source.fileUrl === null ? null : withoutQuery(source.fileUrl),
    createdAt: source.createdAt.toISOString(),
    updatedAt: source.updatedAt.toISOString(),
  };
}
