import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Update checks of devices. */
export class UpdateCheckConfig {
  /**
   * Maximum size of the release cache of one process, in megabytes: about 3 kB per app. See [update
   * checks](update-checks.md#settings).
   */
  @Env('RELEASE_CACHE_MB')
  @IsInt()
  @Min(1)
  @Max(10_000)
  cacheMegabytes: number = 64;

  /**
   * Seconds for which a server that is cut off from its database answers update checks and downloads from memory. See
   * [update checks](update-checks.md#without-the-database).
   *
   * @values 0 to 604800; 0 turns it off
   */
  @Env('STALE_RELEASES_MAX_SECONDS')
  @IsInt()
  @Min(0)
  @Max(604_800)
  staleMaxSeconds: number = 14_400;

  /**
   * Maximum number of check-ins that one process keeps until it writes them to the database, half a second later.
   */
  @Env('DEVICE_BUFFER_SIZE')
  @IsInt()
  @Min(1000)
  @Max(10_000_000)
  deviceBufferSize: number = 20_000;
}
