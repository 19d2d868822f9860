import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';

/**
 * What was downloaded of an artifact on one day, added up. Without foreign key to the artifact: counts outlive it, and
 * one that was deleted meanwhile must not fail those that are written together with it.
 */
@Entity('download_counts')
@Index(['appId', 'day'])
export class DownloadCount {
  @PrimaryColumn('uuid')
  artifactId!: string;

  /** Of UTC, such as `2026-03-14`. */
  @PrimaryColumn('date')
  day!: string;

  /** See `DownloadKind`. */
  @PrimaryColumn('text')
  kind!: string;

  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Files that were sent as a whole. */
  @Column('bigint')
  downloads!: number;

  /** Bytes of these files. */
  @Column('bigint')
  bytes!: number;
}
