import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../users/user.entity.js';

/** What a link is for: the first password of a user who cannot sign in yet, or one instead of a forgotten one. */
export const linkPurposes = ['first-password', 'new-password'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** A link with which a user sets a password, once. */
@Entity('sign_in_links')
@Unique(['hash'])
export class SignInLink extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @EnumColumn(linkPurposes, { default: 'first-password' })
  purpose!: LinkPurpose;

  /** SHA-256 of the secret in the link, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** By the database's clock. */
  @TimeColumn()
  expiresAt!: Date;
}
