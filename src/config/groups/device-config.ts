import { IsInt, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Which devices are recorded, and for how long. Devices need no credentials, so strangers can invent them. */
export class DeviceConfig {
  /**
   * New devices of one app that one process records per hour. See
   * [invented devices](security.md#invented-devices).
   *
   * @values 0 to 1000000000; 0: no limit
   */
  @Env('NEW_DEVICES_PER_APP')
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  newPerApp: number = 1_000_000;

  /**
   * New devices of one network (IPv4 /24, IPv6 /48) that one process records per hour. Behind a proxy, set `TRUST_PROXY`
   * too.
   *
   * @values 0 to 1000000000; 0: no limit
   */
  @Env('NEW_DEVICES_PER_NETWORK')
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  newPerNetwork: number = 20_000;

  /**
   * Milliseconds that a change waits at most to find out what it means for devices. Later, its [warnings](warnings.md) say
   * that something is missing.
   */
  @Env('WARNINGS_MAX_MILLISECONDS')
  @IsInt()
  @Min(10)
  @Max(10_000)
  warningsMaxMilliseconds: number = 150;

  /**
   * Number of devices of an app above which no new ones are recorded. It is approximate: see
   * [invented devices](security.md#invented-devices).
   *
   * @values 0 to 1000000000; 0: no limit
   */
  @Env('MAX_DEVICES_PER_APP')
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  maxPerApp: number = 50_000_000;

  /**
   * Days without a check-in after which a device is deleted, for apps without `deviceRetentionDays`.
   *
   * @values 0 to 3650; 0: devices are kept
   */
  @Env('DEVICE_RETENTION_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  retentionDays: number = 365;
}
