import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { Row } from '../../database/row.entity.js';
import { Build } from '../../native-builds/builds/build.entity.js';
import { Channel } from '../channels/channel.entity.js';

export const DEPLOYMENTS_CHANNEL_FKEY = 'deployments_channel_id_fkey';

/** A build that was sent to a channel. The newest one of a channel is the active one. */
@Entity('deployments')
@Index(['appId', 'createdAt', 'id'])
@Index(['channelId', 'createdAt', 'id'])
@Check('deployments_rollout_percentage_check', `rollout_percentage BETWEEN 0 AND 1`)
export class Deployment extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => Build, { onDelete: 'CASCADE' })
  buildId!: string;

  @Column('uuid')
  @ForeignKey(() => Channel, { onDelete: 'CASCADE' })
  channelId!: string;

  /** Share of devices that receive it, 0 to 1. */
  @Column('double precision', { default: 1 })
  rolloutPercentage!: number;
}
