import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { TimeColumn } from '../../database/schema/columns.js';

/**
 * A native version that enough devices of an app report now, and the highest one of each platform that ever was seen. See
 * `count-versions.ts`.
 */
@Entity('native_versions')
@Check('native_versions_platform_check', `platform BETWEEN 0 AND 2`)
export class NativeVersion {
  @PrimaryColumn('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** 0 Android, 1 iOS, 2 Electron. */
  @PrimaryColumn('smallint')
  platform!: number;

  /** With ASCII digits. */
  @PrimaryColumn('text')
  versionCode!: string;

  /** Devices that report it now and were seen in the last 30 days; 0: too few. */
  @Column('integer')
  devices!: number;

  /** Different days (UTC) on which enough devices reported it and one of them checked in. */
  @Column('smallint')
  days!: number;

  /** The last of these, such as `2026-03-14`. */
  @Column('date')
  lastDay!: string;

  /** Whether enough devices report it, on two days or more. */
  @Column('boolean')
  isSeen!: boolean;

  /** When it first was; `null`: never. */
  @TimeColumn({ nullable: true })
  firstSeenAt!: Date | null;

  /**
   * Whether it has an event if it is above all that were seen before, as soon as it is seen. The first versions of a platform
   * have none, and it is over after the event.
   */
  @Column('boolean')
  isNews!: boolean;
}
