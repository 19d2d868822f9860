import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Row } from '../../database/row.entity.js';
import { User } from '../users/user.entity.js';

/** How a user proved their identity: here, or at the OpenID provider. */
export type SignInMethod = 'password' | 'oidc';

/** A sign-in that lasts: of a program (by a code) or of a browser (by a cookie). */
@Entity('sessions')
@Unique(['hash'])
@Check('sessions_kind_check', `kind IN ('device', 'browser')`)
@Check('sessions_method_check', `method IN ('password', 'oidc')`)
export class Session extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  kind!: 'device' | 'browser';

  /** SHA-256 of the token, lower-case hexadecimal. */
  @Column('text')
  hash!: string;

  /** How the user signed in; for a program, the user who approved it. */
  @Column('text', { default: 'password' })
  method!: SignInMethod;

  /** When the user proved a second factor; `null`: never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  secondFactorAt!: Date | null;

  /** Where it was made. */
  @Column('text')
  address!: string;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  /** Moves at most every few minutes. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastUsedAt!: Date;
}
