import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { PasswordProofs } from '../passwords/password-proofs.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { SignInMethods } from '../passwords/sign-in-methods.js';
import type { Proof } from '../sign-in-attempts/proof.js';
import { SecondFactorProofs } from '../two-factor/second-factor-proofs.service.js';
import type { User } from '../users/user.entity.js';

/** What an account can be proved with here. */
export interface Factors {
  readonly password: boolean;
  /** A code of the authenticator app, or a recovery code. */
  readonly code: boolean;
}

/** What a visitor typed. */
export interface TypedFactors {
  readonly password: string;
  readonly code: string;
}

/** Proves the identity of users outside of a sign-in with a password. */
@Injectable()
export class IdentityProofs {
  constructor(
    private readonly methods: SignInMethods,
    private readonly passwords: PasswordsService,
    private readonly passwordProofs: PasswordProofs,
    private readonly secondFactors: SecondFactorProofs,
  ) {}

  /** The factors that an account has here; none where passwords are switched off. */
  async factorsOf(user: User): Promise<Factors> {
    if (!this.methods.local) return { password: false, code: false };
    return { password: await this.passwords.has(user.id), code: user.twoFactorEnabled };
  }

  /** Checks every factor that is required, and slows down guessing. @param required at least one */
  async verify(
    user: User,
    required: Factors,
    { password, code }: TypedFactors,
    origin: RequestOrigin,
  ): Promise<Proof> {
    if (required.password) {
      const proof = await this.passwordProofs.verifyPassword(user.email, password, origin);
      if (proof.result !== 'proven' || !required.code) return proof;
    }
    return this.secondFactors.verifyCode(user.id, code, origin);
  }
}
