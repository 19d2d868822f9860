import { ApiProperty } from '@nestjs/swagger';

/** What an organization stores. */
export class StorageUsageDto {
  /**
   * Different files of bundles, with the archives that the server makes of them.
   * @example 5210
   */
  @ApiProperty({ type: 'integer' })
  files!: number;

  /**
   * Their bytes, with those of their compressed variants and of the parts of unfinished uploads. Content that several bundles
   * share counts once.
   * @example 734003200
   */
  @ApiProperty({ type: 'integer' })
  sizeInBytes!: number;

  /**
   * How many bytes the organization may store; `null`: there is no limit.
   * @example 50000000000
   */
  @ApiProperty({ type: 'integer', nullable: true })
  quotaInBytes!: number | null;
}

/** An organization that stores nearly as much as it may, or all. */
export class StorageQuotaEventDto {
  /**
   * Bytes that it stores.
   * @example 41000000000
   */
  @ApiProperty({ type: 'integer' })
  sizeInBytes!: number;

  /**
   * Bytes that it may store.
   * @example 50000000000
   */
  @ApiProperty({ type: 'integer' })
  quotaInBytes!: number;

  /** Of the quota, in percent, rounded down. @example 82 */
  @ApiProperty({ type: 'integer' })
  usedPercent!: number;

  /** The threshold that is crossed, in percent. At 100, uploads are refused. */
  @ApiProperty({ type: 'integer', enum: [80, 95, 100], enumName: 'StorageQuotaThreshold' })
  threshold!: number;
}
