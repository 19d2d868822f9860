import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../users/user.entity.js';
import type { SignInMethod } from '../sessions/session.entity.js';

export const SESSION_CODES_CODE_KEY = 'session_codes_code_key';

/** How far a request to sign in has come. */
export const sessionCodeStatuses = ['created', 'approved', 'denied', 'consumed'] as const;
export type SessionCodeStatus = (typeof sessionCodeStatuses)[number];

/** A program's request to sign in a person, who types a code in a browser. */
@Entity('session_codes')
@Unique(['hash'])
@Unique(SESSION_CODES_CODE_KEY, ['code'])
@Check('session_codes_user_check', `(status = 'created') = (user_id IS NULL)`)
export class SessionCode extends Row {
  /** SHA-256 of the secret that the program holds, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** What people type. */
  @Column('text')
  code!: string;

  @EnumColumn(sessionCodeStatuses, { default: 'created' })
  status!: SessionCodeStatus;

  @Index()
  @TimeColumn()
  expiresAt!: Date;

  /** Where the program asked from. */
  @Column('text')
  address!: string;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  /** Who has approved or denied it. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string | null;

  /** How the one who has approved it has signed in. */
  @Column('text', { nullable: true })
  method!: SignInMethod | null;

  /** When the one who has approved it has proved a second factor. */
  @TimeColumn({ nullable: true })
  secondFactorAt!: Date | null;

  /** When the one who has approved it last proved their identity. */
  @TimeColumn({ nullable: true })
  provedAt!: Date | null;
}
