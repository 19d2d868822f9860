import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import type { Role } from '../../common/access/permissions.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Organization } from '../organizations/organization.entity.js';

export const invitationRoles = ['admin', 'billing', 'member', 'viewer'] as const satisfies readonly Role[];
/** A role for an invitation. There are no invitations as owner: an owner transfers ownership to a member. */
export type InvitationRole = (typeof invitationRoles)[number];

export const invitationStatuses = ['accepted', 'canceled', 'pending', 'rejected'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

export const INVITATIONS_PENDING_KEY = 'invitations_pending_key';

/** An offer of membership in an organization to the owner of an email address. */
@Entity('invitations')
@Index(INVITATIONS_PENDING_KEY, ['organizationId', 'email'], { unique: true, where: `status = 'pending'` })
@Index(['organizationId', 'createdAt', 'id'])
export class Invitation extends Row {
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  /** In lower case. */
  @Index()
  @Column('text')
  email!: string;

  @EnumColumn(invitationRoles)
  role!: InvitationRole;

  /** An expired invitation stays `pending`. */
  @EnumColumn(invitationStatuses, { default: 'pending' })
  status!: InvitationStatus;

  /** The user who sent the invitation; `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  inviterId!: string | null;

  @TimeColumn()
  expiresAt!: Date;

  /** When the mail server took the invitation; `null`: it has not. */
  @TimeColumn({ nullable: true })
  mailedAt!: Date | null;

  /** Why the last attempt to mail it failed; `null` before the first one and after one that did not. */
  @Column('text', { nullable: true })
  mailError!: string | null;
}
