import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { ProofsService } from '../sign-in-attempts/proofs.service.js';
import type { User } from '../users/user.entity.js';
import { AccountMailsService } from './account-mails.service.js';

/** Records complete sign-ins, and mails users about those from a network that their account does not know. */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly proofs: ProofsService,
    private readonly mails: AccountMailsService,
  ) {}

  /** @param origin from where the user or the program signs in */
  async record(user: Pick<User, 'id' | 'email'>, origin: RequestOrigin): Promise<void> {
    const known = await this.proofs.succeed(user.email, origin);
    if (!known) await this.mails.send(user.id, 'sign-in');
  }
}
