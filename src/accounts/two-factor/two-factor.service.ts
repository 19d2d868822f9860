import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { Secret } from 'otpauth';
import { hashToken } from '../../common/access/api-token.js';
import { errorOf } from '../../common/errors/app-error.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { insertOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { UsersService } from '../users/users.service.js';
import { RecoveryCode } from './recovery-code.entity.js';
import { matchingStep } from './totp.js';
import { TWO_FACTORS_USER_KEY, TwoFactor } from './two-factor.entity.js';

const CODES = 10;
const BYTES = 10;

const contextOf = (userId: string): string => `two_factors:${userId}`;

/** The second factor of users: codes of an authenticator app, and recovery codes. */
@Injectable()
export class TwoFactorService {
  constructor(
    @InjectRepository(TwoFactor) private readonly twoFactors: Repository<TwoFactor>,
    @InjectRepository(RecoveryCode) private readonly recoveryCodes: Repository<RecoveryCode>,
    private readonly users: UsersService,
    private readonly box: SecretBox,
  ) {}

  /**
   * Switches the second factor on, when the code shows that the app has the secret.
   *
   * @returns the recovery codes, which cannot be read again; `null` when the code is wrong
   * @throws ConflictError when it is on already
   */
  async enable(userId: string, secret: string, code: string): Promise<string[] | null> {
    const lastStep = matchingStep(secret, normalized(code), Date.now());
    if (lastStep === null) return null;
    return transaction(async () => {
      const values = { userId, secret: this.box.seal(secret, contextOf(userId)), lastStep };
      await insertOrThrow(this.twoFactors, values, {
        [TWO_FACTORS_USER_KEY]: () => errorOf('two_factor_enabled'),
      });
      await this.users.setTwoFactorEnabled(userId, true);
      return this.replaceRecoveryCodes(userId);
    });
  }

  /** Switches it off: the secret and the recovery codes are deleted. */
  async disable(userId: string): Promise<void> {
    await transaction(async () => {
      await this.twoFactors.delete({ userId });
      await this.recoveryCodes.delete({ userId });
      await this.users.setTwoFactorEnabled(userId, false);
    });
  }

  /**
   * Checks a code and uses it up: neither a code of the app nor a recovery code works twice.
   *
   * @returns `false` as well when the user has no second factor
   */
  async verify(userId: string, code: string): Promise<boolean> {
    const recoveryCode = parseRecoveryCode(code);
    if (recoveryCode !== null) {
      // In a transaction, so that the audit log records the request.
      const { affected } = await transaction(() =>
        this.recoveryCodes.delete({ userId, hash: hashToken(recoveryCode) }),
      );
      return affected === 1;
    }
    const found = await this.twoFactors.findOneBy({ userId });
    if (found === null) return false;
    const secret = this.box.open(found.secret, contextOf(userId));
    const step = matchingStep(secret, normalized(code), Date.now());
    if (step === null) return false;
    // If two requests arrive at once, only one finds the older step.
    const unused = { userId, lastStep: LessThan(step) };
    return (await this.twoFactors.update(unused, { lastStep: step })).affected === 1;
  }

  /** How many recovery codes are left. */
  countRecoveryCodes(userId: string): Promise<number> {
    return this.recoveryCodes.countBy({ userId });
  }

  /** Makes ten new recovery codes, which replace the old ones. @returns the codes */
  renewRecoveryCodes(userId: string): Promise<string[]> {
    return transaction(() => this.replaceRecoveryCodes(userId));
  }

  private async replaceRecoveryCodes(userId: string): Promise<string[]> {
    const codes = generateRecoveryCodes();
    await this.recoveryCodes.delete({ userId });
    await this.recoveryCodes.insert(
      codes.map((code) => ({ id: uuid(), userId, hash: hashToken(code.replaceAll('-', '')) })),
    );
    return codes;
  }
}

/** Apps show the code in two groups. */
function normalized(code: string): string {
  return code.replace(/\s/g, '');
}

/** Makes ten recovery codes of 80 random bits each, as the page shows them: `ABCD-EFGH-IJKL-MNOP`. */
function generateRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () =>
    (new Secret({ size: BYTES }).base32.match(/.{4}/g) ?? []).join('-'),
  );
}

/**
 * Reads a recovery code in any case, with or without dashes and spaces.
 *
 * @returns the code without dashes; `null` when it cannot be one
 */
function parseRecoveryCode(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z2-7]{16}$/.test(code) ? code : null;
}
