import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { type Damage, damages } from '../../storage/blobs/blob.entity.js';

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
