import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_SHA256 } from '../../common/openapi/example-values.js';
import { type Damage, damages } from '../../storage/blobs/blob.entity.js';

/** A place where a stored file is used. */
export class DamagedFileUseDto {
  @ApiId()
  appId!: string;

  /** @example 'Shop' */
  appName!: string;

  @ApiId()
  appBuildId!: string;

  /** The bundle. */
  @ApiId()
  appBundleId!: string;

  /** Path of the file inside the bundle; `null`: it is the zip. */
  @ApiProperty({ type: 'string', nullable: true, example: 'assets/app.js' })
  href!: string | null;
}

/** A stored file whose bytes are not the ones that were uploaded. */
@ApiExample({ checksum: EXAMPLE_SHA256, sizeInBytes: 482133 })
export class DamagedFileDto {
  @ApiId()
  id!: string;

  /** SHA-256 of the bytes that were uploaded, lower-case hexadecimal. To upload them again repairs the file. */
  checksum!: string;

  /** Length of the bytes that were uploaded. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  sizeInBytes!: number;

  /** `missing`: nothing is stored; `size`: the length differs; `checksum`: the content differs. */
  @ApiProperty({ enum: damages, enumName: 'Damage' })
  reason!: Damage;

  /** When that was first found. */
  @ApiTime()
  damagedAt!: string;

  /** How many files of bundles have these bytes. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  totalUses!: number;

  /** The newest 100 of them. */
  @ApiProperty({ type: [DamagedFileUseDto] })
  uses!: DamagedFileUseDto[];
}

/** A bundle with damaged files: devices do not get it. */
export class DamagedBundleEventDto {
  @ApiId()
  appBundleId!: string;

  @ApiId()
  appBuildId!: string;

  /** Number of the build in its app. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  appBuildNumber!: number;

  /** The channel that it was deployed to last; `null`: none. */
  @ApiId()
  appChannelId!: string | null;

  /** @example 'production' */
  appChannelName!: string | null;

  /** How many of its files are damaged. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  damagedFiles!: number;

  /** Path of the first of them inside the bundle; `null`: it is the zip. */
  @ApiProperty({ type: 'string', nullable: true, example: 'assets/app.js' })
  href!: string | null;

  /** What is wrong with that file. `missing`: nothing is stored; `size`: the length differs; `checksum`: the content differs. */
  @ApiProperty({ enum: damages, enumName: 'Damage' })
  reason!: Damage;
}
