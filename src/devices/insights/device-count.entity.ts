import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';

/** How many devices with one property were seen on a day, and in the days before it. Written once, never changed. */
@Entity('device_counts')
export class DeviceCount {
  @PrimaryColumn('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** See `Dimension`; or `start`, for the day before the first that can be counted. */
  @PrimaryColumn('text')
  dimension!: string;

  /** Of UTC, such as `2026-03-14`. */
  @PrimaryColumn('date')
  day!: string;

  /** Whether these are all that have none of the values of other rows. */
  @PrimaryColumn('boolean')
  others!: boolean;

  /** Empty: the device has none. */
  @PrimaryColumn('text')
  value!: string;

  /** Seen on the day. */
  @Column('integer')
  daily!: number;

  /** Seen in the seven days that end with it. */
  @Column('integer')
  weekly!: number;

  /** Seen in the thirty days that end with it. */
  @Column('integer')
  monthly!: number;
}
