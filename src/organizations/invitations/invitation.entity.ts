import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import type { Role } from '../../common/access/permissions.js';
import { EnumColumn, TimeColumn } from '../../database/columns.js';
import { Row } from '../../database/row.entity.js';
import { Organization } from '../organizations/organization.entity.js';

export const invitationRoles = ['admin', 'billing', 'member', 'viewer'] as const satisfies readonly Role[];
/** A role that one can be invited to. Nobody is invited as owner: an owner makes a member one. */
export type InvitationRole = (typeof invitationRoles)[number];

export const invitationStatuses = ['accepted', 'canceled', 'pending', 'rejected'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

export const INVITATIONS_PENDING_KEY = 'invitations_pending_key';

/** The offer of a place in an organization to whoever signs in with an e-mail address. */
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

  /** One that has expired stays `pending`. */
  @EnumColumn(invitationStatuses, { default: 'pending' })
  status!: InvitationStatus;

  /** `null`: the user who invited does not exist any more. */
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
