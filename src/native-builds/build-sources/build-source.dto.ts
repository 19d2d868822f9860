import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { Satisfies } from '../../common/validation/satisfies.decorator.js';
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

/** Largest source: 1 GiB. */
export const MAX_SOURCE_BYTES = 1024 ** 3;

/** A new source: the size of a zip whose bytes follow in parts, or the address of a zip. */
@ApiExample({ fileSizeInBytes: 482133 })
export class CreateBuildSourceDto {
  /**
   * Bytes of the zip, at most 1 GiB. Upload them in parts. Ignored beside `fileUrl`.
   * @example 482133
   */
  @ValidateIf(({ fileUrl }: CreateBuildSourceDto) => fileUrl == null)
  @IsNullable()
  @IsWholeNumber(1, MAX_SOURCE_BYTES)
  fileSizeInBytes?: number | null;

  /**
   * Address of a zip of at most 1 GiB, which the server fetches. Without user name and password. A query is stored
   * encrypted until the zip is fetched, and never shown.
   */
  @ApiPropertyOptional({ format: 'uri' })
  @IsNullable()
  @Satisfies(isSourceUrl, '$property must be an https address without user name and password.')
  @IsText(2000)
  fileUrl?: string | null;
}

/** `http` is refused when it is fetched, unless the operator allows the host. */
function isSourceUrl(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['https:', 'http:'].includes(protocol) && username === '' && password === '';
}
