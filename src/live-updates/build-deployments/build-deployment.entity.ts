import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Build } from '../../native-builds/builds/build.entity.js';
import { Deployment } from '../deployments/deployment.entity.js';

export const buildDeploymentStatuses = ['waiting', 'deployed', 'failed'] as const;
export type BuildDeploymentStatus = (typeof buildDeploymentStatuses)[number];

/** A channel, or a destination in a store, that a build goes to as soon as its job has succeeded. */
@Entity('build_deployments')
@Unique(['buildId', 'channelId'])
@Unique(['buildId', 'destinationId'])
@Check('build_deployments_target_check', `num_nonnulls(channel_id, destination_id) = 1`)
@Check('build_deployments_failure_check', `(status = 'failed') = (failure IS NOT NULL)`)
export class BuildDeployment extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('uuid')
  @ForeignKey(() => Build, { onDelete: 'CASCADE' })
  buildId!: string;

  /** Without a foreign key on purpose: when the channel is gone by then, that must show. */
  @Column('uuid', { nullable: true })
  channelId!: string | null;

  /** As `channelId`. */
  @Column('uuid', { nullable: true })
  destinationId!: string | null;

  @EnumColumn(buildDeploymentStatuses, { default: 'waiting' })
  status!: BuildDeploymentStatus;

  /** Why it was not deployed; `null`: it was, or it waits. */
  @Column('text', { nullable: true })
  failure!: string | null;

  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Deployment, { onDelete: 'SET NULL' })
  deploymentId!: string | null;
}
