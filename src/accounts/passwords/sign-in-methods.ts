import { Injectable } from '@nestjs/common';
import { ForbiddenError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { providerNameOf } from '../../config/groups/sign-in-config.js';
import { PasswordsService } from './passwords.service.js';

/** How users can sign in to this server. */
@Injectable()
export class SignInMethods {
  /** Whether with a password that Slipway keeps. */
  readonly local: boolean;
  /** The name of the OpenID provider; `null`: there is none. */
  readonly provider: string | null;

  constructor(
    config: Config,
    private readonly passwords: PasswordsService,
  ) {
    this.local = config.signIn.local;
    this.provider = providerNameOf(config.oidc);
  }

  /** Whether visitors need a password here, and no user has one yet. */
  async lacksPasswords(): Promise<boolean> {
    return this.local && !(await this.passwords.exist());
  }

  /** @throws ForbiddenError when passwords are switched off */
  requireLocal(): void {
    if (!this.local) throw disabled(this.passwordsAreOff());
  }

  /**
   * Requires that the settings of a password make sense for a user.
   *
   * @throws ForbiddenError when `whyNotLocal` gives a reason
   */
  async requireLocalFor(userId: string): Promise<void> {
    const reason = await this.whyNotLocal(userId);
    if (reason !== null) throw disabled(reason);
  }

  /**
   * Why the settings of a password make no sense for a user: passwords are switched off, or the user of a provider has
   * none. Nothing would ask such a user for a second factor, and nothing could switch it off again.
   *
   * @returns a sentence; `null` when they make sense
   */
  async whyNotLocal(userId: string): Promise<string | null> {
    if (!this.local) return this.passwordsAreOff();
    if (this.provider === null || (await this.passwords.has(userId))) return null;
    return `You have no password here: you sign in with ${this.provider}.`;
  }

  private passwordsAreOff(): string {
    return `Passwords are switched off here: sign in with ${this.provider ?? 'the provider'}.`;
  }
}

function disabled(reason: string): ForbiddenError {
  return new ForbiddenError(reason, 'local_sign_in_disabled');
}
