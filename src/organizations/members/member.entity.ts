import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import type { Role } from '../../common/access/permissions.js';
import { Row } from '../../database/row.entity.js';
import { Organization } from '../organizations/organization.entity.js';

export const MEMBERS_USER_KEY = 'members_organization_id_user_id_key';

/** A user's place in an organization. */
@Entity('members')
@Unique(MEMBERS_USER_KEY, ['organizationId', 'userId'])
@Check('members_role_check', `role IN ('owner', 'admin', 'billing', 'member', 'viewer')`)
export class Member extends Row {
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  role!: Role;

  /** Whether it was made by a group of the OpenID provider, and so ends with it. */
  @Column('boolean', { default: false })
  fromGroups!: boolean;

  /** Moves at most every few minutes. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSeenAt!: Date | null;
}
