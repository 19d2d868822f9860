import { Injectable } from '@nestjs/common';
import { ForbiddenError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { PasswordsService } from '../passwords/passwords.service.js';

/** How people can sign in here. */
@Injectable()
export class SignInMethods {
  /** Whether with a password. */
  readonly local: boolean;
  /** What people call the OpenID provider; `null`: there is none. */
  readonly provider: string | null;

  constructor(
    config: Config,
    private readonly passwords: PasswordsService,
  ) {
    this.local = config.signIn.local;
    this.provider = config.oidc.issuer === null ? null : config.oidc.name;
  }

  /** @throws ForbiddenError when passwords are switched off */
  requireLocal(): void {
    if (!this.local) throw disabled(this.passwordsAreOff());
  }

  /**
   * The settings of a password are of no use where passwords are switched off, and for users of the provider who have
   * none: nothing would ask for their second factor, and nothing could switch it off again.
   *
   * @throws ForbiddenError
   */
  async requireLocalFor(userId: string): Promise<void> {
    const reason = await this.whyNotLocal(userId);
    if (reason !== null) throw disabled(reason);
  }

  /** @returns a sentence that says why a user has no use for the settings of a password; `null` when it has */
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
