import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { CreatedAtColumn, TimeColumn, UpdatedAtColumn } from '../../database/schema/columns.js';
import { Channel } from '../../live-updates/channels/channel.entity.js';

export const DEVICES_FORCED_CHANNEL_FKEY = 'devices_forced_channel_id_fkey';

/**
 * The condition of `devices_sample_idx`: one device in 64, always the same ones, by a hash of the id that is independent of
 * rollouts.
 */
export const DEVICE_SAMPLE = '(hashtextextended(id, 0) & 63) = 0';
/** One device in so many is in the sample. */
export const DEVICES_PER_SAMPLED = 64;

/**
 * A device that has asked for updates. What it reported last is written without foreign keys to the channel and the
 * deployment: reports come in batches, and one that names an object deleted meanwhile must not fail the others.
 */
@Entity('devices')
@Index('devices_list_idx', [
  'appId',
  'lastSeenAt',
  'id',
  // For filters of the list: each check writes an entry of this index anyway, and one index more would be another entry.
  'channelId',
  'bundleId',
  'platform',
  'appVersionCode',
  'appVersionName',
])
@Index('devices_sample_idx', ['appId', 'lastSeenAt'], { where: DEVICE_SAMPLE })
@Index(['appId', 'customId'], { where: 'custom_id IS NOT NULL' })
@Check('devices_platform_check', `platform BETWEEN 0 AND 2`)
export class Device {
  @PrimaryColumn('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Chosen by the device; unique within the app only. */
  @PrimaryColumn('text')
  id!: string;

  /** 0 Android, 1 iOS, 2 Electron. */
  @Column('smallint')
  platform!: number;

  @Column('text')
  appVersionCode!: string;

  @Column('text')
  appVersionName!: string;

  @Column('text')
  osVersion!: string;

  @Column('text')
  pluginVersion!: string;

  /** The id that the app assigned to the device, or its hash; `null`: none. */
  @Column('text', { nullable: true })
  customId!: string | null;

  /** Whether `customId` is a hash: see `hashCustomId`. */
  @Column('boolean', { default: false })
  customIdHashed!: boolean;

  /** `cordova`, `electron`; `null`: Capacitor. */
  @Column('text', { nullable: true })
  runtime!: string | null;

  /** Country code (ISO 3166-1 alpha-2) that a trusted proxy reported; `null`: unknown. */
  @Column('text', { nullable: true })
  country!: string | null;

  /** Possible names of the channel that it requested last, most likely first; empty: the default channel. */
  @Column('text', { array: true, default: [] })
  requestedChannelNames!: string[];

  /** The channel that the device requested last, or the default channel. */
  @Index()
  @Column('uuid', { nullable: true })
  channelId!: string | null;

  /** The channel that a user forces the device to; `null`: none. */
  @Index({ where: 'forced_channel_id IS NOT NULL' })
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Channel, { onDelete: 'SET NULL' })
  forcedChannelId!: string | null;

  /** The deployment that it was offered last. */
  @Index()
  @Column('uuid', { nullable: true })
  deploymentId!: string | null;

  /** When it was first offered this deployment in this native version. For this and the next two, see ADR 21. */
  @TimeColumn({ nullable: true })
  offeredAt!: Date | null;

  /** When it first reported running the bundle of this deployment. */
  @TimeColumn({ nullable: true })
  appliedAt!: Date | null;

  /** When it first reported another bundle after that; `null`: never. */
  @TimeColumn({ nullable: true })
  rolledBackAt!: Date | null;

  /** The bundle that it reported running, or `UNKNOWN_BUNDLE_ID`; `null`: the one that the app was installed with. */
  @Index({ where: 'bundle_id IS NOT NULL' })
  @Column('uuid', { nullable: true })
  bundleId!: string | null;

  @TimeColumn()
  lastSeenAt!: Date;

  /**
   * The days (UTC) with a check-in as bits: bit 0 is the day of `lastSeenAt`, bit 1 the day before, up to bit 61.
   * A `bigint` where a number is not exact: see `parseInt8`.
   */
  @Column('bigint', { default: 1 })
  seenDays!: number | bigint;

  @CreatedAtColumn()
  createdAt!: Date;

  @UpdatedAtColumn()
  updatedAt!: Date;
}
