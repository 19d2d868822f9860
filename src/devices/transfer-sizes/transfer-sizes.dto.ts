import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { bundleTypes, type BundleType } from '../../live-updates/bundles/bundle.entity.js';

/** The download of a device without a usable bundle, in bytes. */
export class TransferDto {
  /**
   * The whole zip: the uploaded one, or for devices without a bundle the one that was generated of a manifest bundle;
   * `null`: there is none.
   */
  @ApiProperty({ type: 'integer', nullable: true })
  zipSizeInBytes!: number | null;
  /** How many files are fetched one by one, the manifest among them; `null` for zips. */
  @ApiProperty({ type: 'integer', nullable: true })
  files!: number | null;
  /** Their size without compression; `null` for zips. */
  @ApiProperty({ type: 'integer', nullable: true })
  filesSizeInBytes!: number | null;
  /** Their size for clients that accept Brotli, as far as variants have been made; `null` for zips. */
  @ApiProperty({ type: 'integer', nullable: true })
  brotliSizeInBytes!: number | null;
  /** Their size for clients that accept gzip and not Brotli, as far as variants have been made; `null` for zips. */
  @ApiProperty({ type: 'integer', nullable: true })
  gzipSizeInBytes!: number | null;
}

/** The download of a device that has another bundle of the app, in bytes. */
export class UpdateTransferDto extends TransferDto {
  /** Id of the bundle that the devices were offered last. */
  @ApiId()
  bundleId!: string;
  /** Number of its build. */
  @ApiProperty({ type: 'integer' })
  buildNumber!: number;
  /** Known devices of the app that were offered it last. */
  @ApiProperty({ type: 'integer' })
  devices!: number;
  /** Those of them that follow the channel of the deployment. */
  @ApiProperty({ type: 'integer' })
  channelDevices!: number;
  /** The delta archive; `null` unless both bundles are in manifest form. */
  @ApiProperty({ type: 'integer', nullable: true })
  deltaSizeInBytes!: number | null;
  /** Whether the archive does not exist yet; its size is then estimated as the sum of its files, which is too high. */
  @ApiProperty({ type: 'boolean', nullable: true })
  deltaIsEstimated!: boolean | null;
}

/** The download sizes of a deployment, in bytes. */
export class TransferSizesDto {
  /** Id of the deployment. */
  @ApiId()
  deploymentId!: string;
  /** Id of its bundle. */
  @ApiId()
  bundleId!: string;
  /** Type of the bundle. */
  @ApiProperty({ enum: bundleTypes })
  artifactType!: BundleType;
  /**
   * Known devices of the channel whose plugin cannot download the empty files of the bundle. They get the generated zip or,
   * while there is none, nothing.
   */
  @ApiProperty({ type: 'integer' })
  zipOnlyDevices!: number;
  /** For a device without any usable bundle. */
  full!: TransferDto;
  /** For devices with another bundle of the app: up to 20 of those that known devices have, the newest first. */
  updates!: UpdateTransferDto[];
}
