import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { TimeColumn } from '../../database/schema/columns.js';
import { Bundle } from '../../live-updates/bundles/bundle.entity.js';

/**
 * How often a device has rolled a bundle back in one native version. The trigger `count_rollbacks` of `devices` writes it
 * in the statement that writes check-ins and keeps the newest 20 of each device, and the deletion of a device deletes its rows by a trigger: one statement for
 * many devices, which a foreign key would not be.
 */
@Entity('device_rollbacks')
@Unique('device_rollbacks_key', ['appId', 'deviceId', 'bundleId', 'appVersionCode'])
@Index(['appId', 'lastAt'])
export class DeviceRollback {
  /** Made by the database. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('text')
  deviceId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => Bundle, { onDelete: 'CASCADE' })
  bundleId!: string;

  @Column('text')
  appVersionCode!: string;

  /** What servers remember of all this: the first 8 bytes of a hash, `rollbackHash`. Stored, because it is loaded often. */
  @Column('bytea')
  key!: Buffer;

  /** From 1. */
  @Column('integer')
  count!: number;

  /** What `count` was when the device last ran the bundle well: roll-backs since then are consecutive. */
  @Column('integer', { default: 0 })
  countWhenHealthy!: number;

  /** The last time. */
  @TimeColumn()
  lastAt!: Date;
}
