import { Column, Entity, Unique } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';

export const USERS_EMAIL_KEY = 'users_email_key';

/** A person, or a machine that acts as one. */
@Entity('users')
@Unique(USERS_EMAIL_KEY, ['email'])
export class User extends Row {
  /** In lower case. */
  @Column('text')
  email!: string;

  @Column('boolean', { default: false })
  emailVerified!: boolean;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { nullable: true })
  image!: string | null;

  @Column('boolean', { default: false })
  twoFactorEnabled!: boolean;

  /** Since when the user can neither sign in nor use the API; `null`: enabled. */
  @TimeColumn({ nullable: true })
  disabledAt!: Date | null;

  /** Updated at most every few minutes. */
  @TimeColumn({ nullable: true })
  lastSeenAt!: Date | null;
}
