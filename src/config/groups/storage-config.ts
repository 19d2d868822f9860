import { IsIn, IsInt, IsNumber, IsOptional, IsString, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** The kinds of storage. */
export type StorageDriver = 'disk' | 's3';

/** Where the bytes of bundles and artifacts are kept. */
export class StorageConfig {
  /** Where bundles and artifacts are stored: below `DATA_DIR`, or in [object storage](object-storage.md). */
  @Env('STORAGE')
  @IsIn(['disk', 's3'])
  driver: StorageDriver = 'disk';

  /**
   * Where files are read that `STORAGE` does not have, while you
   * [move files](object-storage.md#moving-files-to-another-storage) from one to the other. New files go to `STORAGE`.
   */
  @Env('STORAGE_FALLBACK')
  @IsOptional()
  @IsIn(['disk', 's3'])
  fallback: StorageDriver | null = null;

  /**
   * Folder for disk storage, the embedded database and generated secrets.
   *
   * @values a path
   */
  @Env('DATA_DIR')
  @IsString()
  dataDir: string = '.slipway';

  /**
   * Megabytes of the disk of `DATA_DIR` that new uploads leave free, for those that have begun, and for a database on the
   * same disk. See [operations](operations.md#free-storage).
   *
   * @values 0 to 1000000; 0: no reserve
   */
  @Env('STORAGE_RESERVE_MB')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  reserveMegabytes: number = 512;

  /**
   * Days after which Slipway rereads each stored file in the background and compares it with its checksum. See
   * [operations](operations.md#checking-stored-files).
   *
   * @values 0 to 3650; 0: only files in use
   */
  @Env('SCRUB_INTERVAL_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  scrubIntervalDays: number = 30;

  /**
   * Maximum number of seconds that a publication spends on [compressing](bundles.md#compression) the files of a manifest
   * bundle before devices get it. Files that are left are compressed in the background. Stay below the timeouts of your
   * clients and proxies.
   *
   * @values 0 to 60, also fractions such as 0.5; 0: everything is compressed in the background
   */
  @Env('PUBLISH_COMPRESSION_SECONDS')
  @IsNumber()
  @Min(0)
  @Max(60)
  publishCompressionSeconds: number = 10;

  /**
   * Gigabytes (of 1,000,000,000 bytes) that each organization may store. Files that several bundles share count once.
   * `slipway storage quota` sets the limit of one organization. See [storage quotas](operations.md#storage-quotas).
   *
   * @values 0 to 1000000, also fractions such as 0.5; 0: no limit
   */
  @Env('ORGANIZATION_STORAGE_GIGABYTES')
  @IsNumber()
  @Min(0)
  @Max(1_000_000)
  gigabytesPerOrganization: number = 0;
}
