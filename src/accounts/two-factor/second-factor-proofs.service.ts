import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { Proof } from '../sign-in-attempts/proof.js';
import { ProofsService } from '../sign-in-attempts/proofs.service.js';
import { UsersService } from '../users/users.service.js';
import { TwoFactorService } from './two-factor.service.js';

/** Failures without delay, of one account from all addresses that are not known to it. */
const FREE_PER_ACCOUNT = 10;

/** Checks the second factors that visitors type, and slows down guessing. */
@Injectable()
export class SecondFactorProofs {
  constructor(
    private readonly proofs: ProofsService,
    private readonly users: UsersService,
    private readonly twoFactor: TwoFactorService,
  ) {}

  /** Checks a code of the authenticator app, or a recovery code, of a user whose password was right. */
  async verifyCode(userId: string, code: string, origin: RequestOrigin): Promise<Proof> {
    const user = await this.users.get(userId);
    const shared = [{ key: ['second factor', userId], free: FREE_PER_ACCOUNT }];
    return this.proofs.prove(user.email, origin, shared, async () =>
      (await this.twoFactor.verify(userId, code)) ? user : null,
    );
  }
}
