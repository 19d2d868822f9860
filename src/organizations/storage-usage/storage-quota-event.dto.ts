import { ApiProperty } from '@nestjs/swagger';

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
