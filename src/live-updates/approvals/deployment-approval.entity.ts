import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Deployment } from '../deployments/deployment.entity.js';

export const APPROVALS_USER_KEY = 'deployment_approvals_deployment_id_user_id_key';

export const approvalDecisions = ['approved', 'rejected'] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

/** The decision of one user on a deployment that needs approvals. */
@Entity('deployment_approvals')
@Unique(APPROVALS_USER_KEY, ['deploymentId', 'userId'])
export class DeploymentApproval extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('uuid')
  @ForeignKey(() => Deployment, { onDelete: 'CASCADE' })
  deploymentId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @EnumColumn(approvalDecisions)
  decision!: ApprovalDecision;

  @Column('text', { nullable: true })
  comment!: string | null;
}
