import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AppError } from '../../common/errors/app-error.js';
import { insertOrThrow } from '../../database/rows.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { AccountLinks } from './account-links.js';
import { EmailVerification } from '../email-verification/email-verification.service.js';
import { accountRefused } from './oidc-errors.js';
import type { Profile } from './profile.js';
import {
  USER_IDENTITIES_SUBJECT_KEY,
  USER_IDENTITIES_USER_KEY,
  UserIdentity,
} from './user-identity.entity.js';

const bound = (): AppError =>
  accountRefused('The user with this e-mail address belongs to another account of the provider.');

/** Finds the user of Slipway behind an account at the OpenID provider. */
@Injectable()
export class IdentitiesService {
  constructor(
    @InjectRepository(UserIdentity) private readonly identities: Repository<UserIdentity>,
    private readonly users: UsersService,
    private readonly links: AccountLinks,
    private readonly verification: EmailVerification,
  ) {}

  /**
   * Finds the user. The first sign-in takes the user with the same e-mail address, or creates one. Later sign-ins go by
   * the subject alone, so the address may change. A user whose address was not verified loses everything that another
   * person could have set up to sign in.
   *
   * @param provider the name of the provider
   * @param provenId the user who was proved here for this sign-in; `null`: none
   * @throws LinkProofRequired when the first sign-in takes a user who must be proved first
   * @throws AppError when the address is missing, not confirmed, or bound to another account of the same provider
   */
  async resolve(profile: Profile, provider: string, provenId: string | null): Promise<User> {
    const { issuer, subject, email, name } = profile;
    if (email === null) throw accountRefused(`${provider} did not share an e-mail address for you.`);
    // If two first sign-ins arrive at once, the second waits and then finds the user that the first created.
    await this.users.lockEmail(email);
    const known = await this.identities.findOneBy({ issuer, subject });
    const user =
      known === null
        ? await this.add(profile, email, provider, provenId)
        : await this.users.get(known.userId);
    if (name !== null && name !== user.name) await this.users.setName(user.id, name);
    return user;
  }

  private async add(
    { issuer, subject, emailConfirmed }: Profile,
    email: string,
    provider: string,
    provenId: string | null,
  ): Promise<User> {
    if (!emailConfirmed) {
      throw accountRefused(`${provider} does not say that it has confirmed your e-mail address.`);
    }
    const found = await this.users.findByEmail(email);
    if (found !== null && found.id !== provenId) {
      // A user of another account of the provider cannot be linked, whatever they prove.
      if (await this.identities.existsBy({ userId: found.id, issuer })) throw bound();
      await this.links.requireProof(found);
    }
    if (found !== null) await this.verification.verify(found);
    const user = found ?? (await this.users.create(email));
    const identity = { userId: user.id, issuer, subject };
    await insertOrThrow(this.identities, identity, {
      [USER_IDENTITIES_USER_KEY]: bound,
      [USER_IDENTITIES_SUBJECT_KEY]: bound,
    });
    return user;
  }
}
