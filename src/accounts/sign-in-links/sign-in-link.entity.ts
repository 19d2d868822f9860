import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../users/user.entity.js';

/** A link with which a user without a password sets the first one, once. */
@Entity('sign_in_links')
@Unique(['hash'])
export class SignInLink extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  /** SHA-256 of the secret in the link, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** By the database's clock. */
  @TimeColumn()
  expiresAt!: Date;
}
