import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';

/** The manifest of a bundle of another server. */
export class ImportManifestDto {
  /**
   * The id under which devices know the bundle.
   * @example '8f14e45f-ceea-467f-a8d4-3c1b2f0e9d71'
   */
  @IsId()
  bundleId!: string;

  /** The manifest as devices have it, at most 20 MiB. An empty list: the bundle has none, such as most zips. */
  @ApiProperty({ type: 'string', format: 'binary' })
  @IsAbsentOr()
  @Equals(undefined, { message: '$property must be sent as a file, with a file name.' })
  file?: unknown;
}

/** A manifest that was imported. */
export class ImportedManifestDto {
  /** The id under which devices know the bundle. */
  @ApiId()
  bundleId!: string;

  /**
   * How many files it lists.
   * @example 42
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  fileCount!: number;

  /**
   * How many published bundles of the app are not offered to devices that run this one, because they would build them
   * wrongly.
   * @example 0
   */
  @ApiProperty({ type: 'integer', minimum: 0 })
  unsafeBundleCount!: number;
}
