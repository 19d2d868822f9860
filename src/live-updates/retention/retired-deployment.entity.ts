import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { CreatedAtColumn } from '../../database/schema/columns.js';

/**
 * That a bundle had a place among the deployments of a channel before retention deleted it because it had expired. A device
 * may still run it, and must not get something older because of that.
 */
@Entity('retired_deployments')
export class RetiredDeployment {
  /** Without foreign key on purpose: the deletion of a bundle must not wait for a lock of the channel. */
  @PrimaryColumn('uuid')
  channelId!: string;

  /** Without foreign key on purpose: the bundle is gone. */
  @PrimaryColumn('uuid')
  bundleId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** Of its last deployment to the channel. */
  @Column('bigint')
  sequence!: number;

  @CreatedAtColumn()
  createdAt!: Date;
}
