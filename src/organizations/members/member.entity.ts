import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { type Role, roles } from '../../common/access/permissions.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Organization } from '../organizations/organization.entity.js';

export const MEMBERS_USER_KEY = 'members_organization_id_user_id_key';

/** A user's place in an organization. */
@Entity('members')
@Unique(MEMBERS_USER_KEY, ['organizationId', 'userId'])
export class Member extends Row {
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @EnumColumn(roles)
  role!: Role;

  /** Whether it was made by a group of the OpenID provider, and so ends with it. */
  @Column('boolean', { default: false })
  fromGroups!: boolean;

  /** Updated at most every few minutes. */
  @TimeColumn({ nullable: true })
  lastSeenAt!: Date | null;
}
