import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';

/**
 * What was downloaded of an artifact on one day, added up. Without foreign key to the artifact: counts outlive it, and
 * a deleted artifact must not fail the counts that are written in the same statement.
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

  /** Complete downloads. */
  @Column('bigint')
  downloads!: number;

  /** Bytes of these downloads. */
  @Column('bigint')
  bytes!: number;
}
