import { Injectable } from '@nestjs/common';
import { networkOf } from '../../common/request-origin/networks.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { Proof } from '../sign-in-attempts/proof.js';
import { ProofsService } from '../sign-in-attempts/proofs.service.js';
import { UsersService } from '../users/users.service.js';
import { PasswordsService } from './passwords.service.js';

/** Failures without delay, of all accounts from one address that is not known to the account. */
const FREE_PER_ADDRESS = 20;
/** Failures without delay, of one account from all addresses that are not known to it. */
const FREE_PER_ACCOUNT = 50;

/** How an attempt to prove a password ended; `passwordId` is for `PasswordsService.isCurrent`. */
export type PasswordProof =
  | Exclude<Proof, { result: 'proven' }>
  | (Extract<Proof, { result: 'proven' }> & { readonly passwordId: string });

/** Checks the passwords that visitors type, and slows down guessing. */
@Injectable()
export class PasswordProofs {
  constructor(
    private readonly proofs: ProofsService,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  /**
   * Checks a password. For an account that does not exist the result is that of a wrong password, and takes as long.
   *
   * @param email in any case
   */
  async verifyPassword(email: string, password: string, origin: RequestOrigin): Promise<PasswordProof> {
    const account = email.trim().toLowerCase();
    const user = await this.users.findByEmail(account);
    const shared = [
      { key: ['address', networkOf(origin.address)], free: FREE_PER_ADDRESS },
      { key: ['password', account], free: FREE_PER_ACCOUNT },
    ];
    let passwordId: string | null = null;
    const proof = await this.proofs.prove(account, origin, shared, async () => {
      passwordId = await this.passwords.verify(user?.id ?? null, password);
      return passwordId === null ? null : user;
    });
    return proof.result === 'proven' ? { ...proof, passwordId: passwordId ?? '' } : proof;
  }
}
