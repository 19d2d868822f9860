import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { Config } from '../../config/config.js';
import type { Visit } from '../../pages/views/page.js';
import { type ReturnPath, returnPath } from '../../pages/views/site-map.js';
import { type Factors, IdentityProofs } from '../identity-proofs/identity-proofs.service.js';
import type { User } from '../users/user.entity.js';
import type { Profile } from './profile.js';

/** Time to type the password and the code. */
const VALID_FOR_MS = 10 * 60_000;

/** A sign-in at the provider that waits for the proof of the account here. */
export interface PendingLink {
  readonly profile: Profile;
  readonly next: ReturnPath;
}

/** The user must be proved here before the identity is linked. */
export class LinkProofRequired extends Error {
  constructor(
    readonly user: User,
    readonly factors: Factors,
  ) {
    super('The account must be proved first.');
  }
}

/** Decides whether a user must be proved before an identity of the provider is linked, and keeps such sign-ins. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly config: Config,
    private readonly proofs: IdentityProofs,
    private readonly box: SecretBox,
  ) {}

  /**
   * A user whose address is not verified need not be proved: another person may have set the password, and the provider
   * has verified whose address it is.
   *
   * @throws LinkProofRequired when the user has a password or a second factor here
   */
  async requireProof(user: User): Promise<void> {
    if (this.config.oidc.linkWithoutProof || !user.emailVerified) return;
    const factors = await this.proofs.factorsOf(user);
    if (factors.password || factors.code) throw new LinkProofRequired(user, factors);
  }

  /** Seals a sign-in into a form: for ten minutes, for this visitor only. */
  seal(link: PendingLink, visit: Visit): string {
    const known = new Set(this.config.oidc.groupRoles.map(({ group }) => group));
    // A form is small, and other groups change nothing.
    const groups = link.profile.groups.filter((group) => known.has(group));
    const content = {
      ...link,
      profile: { ...link.profile, groups },
      expires: databaseNow(VALID_FOR_MS).getTime(),
    };
    return this.box.seal(JSON.stringify(content), contextOf(visit));
  }

  /** The sign-in of a form; `null` when it is forged, another visitor's or too old. */
  open(sealed: string, visit: Visit): PendingLink | null {
    let opened: string;
    try {
      opened = this.box.open(sealed, contextOf(visit));
    } catch {
      return null;
    }
    const { profile, next, expires } = JSON.parse(opened) as PendingLink & { readonly expires: number };
    return expires > databaseNow().getTime() ? { profile, next: returnPath(next) } : null;
  }
}

function contextOf(visit: Visit): string {
  return `oidc-link:${visit.csrf}`;
}
