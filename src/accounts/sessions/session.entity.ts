import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { type SessionKind, sessionKinds } from '../../common/access/session-token.js';
import { Row } from '../../database/schema/row.entity.js';
import { User } from '../users/user.entity.js';

/** How a user signs in: with a password, or at the OpenID provider. */
export const signInMethods = ['password', 'oidc'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** How a user proved their identity. */
export interface SignIn {
  readonly method: SignInMethod;
  /** When a second factor was proved, here or at the OpenID provider; `null`: never. */
  readonly secondFactorAt: Date | null;
  /** When the user last proved their identity; `null`: not known. */
  readonly provedAt: Date | null;
}

/** A sign-in that lasts: of a program (by a code) or of a browser (by a cookie). */
@Entity('sessions')
@Unique(['hash'])
export class Session extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @EnumColumn(sessionKinds)
  kind!: SessionKind;

  /** SHA-256 of the token, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** How its user has signed in; of a program the one who approved it. */
  @EnumColumn(signInMethods, { default: 'password' })
  method!: SignInMethod;

  /** When its user has proved a second factor; `null`: never. */
  @TimeColumn({ nullable: true })
  secondFactorAt!: Date | null;

  /** When its user last proved their identity; of a program the one who approved it. `null`: not known. */
  @TimeColumn({ nullable: true })
  provedAt!: Date | null;

  /** Where it was made. */
  @Column('text')
  address!: string;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  /** Updated at most every few minutes. */
  @TimeColumn({ default: () => 'now()' })
  lastUsedAt!: Date;
}
