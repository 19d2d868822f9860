import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { Visit } from '../../pages/views/page.js';

/** A password that was right in the first step of a sign-in. */
export interface VerifiedPassword {
  readonly userId: string;
  readonly passwordId: string;
}

const VALID_FOR_MS = 5 * 60_000;

/** Carries the user from the first step of a sign-in to the second, sealed in the form itself. */
@Injectable()
export class SecondFactorChallenges {
  constructor(private readonly box: SecretBox) {}

  /** Makes a text for the form. It is valid for five minutes, and for this visitor only. */
  issue({ userId, passwordId }: VerifiedPassword, visit: Visit): string {
    return this.box.seal(`${databaseNow(VALID_FOR_MS).getTime()} ${userId} ${passwordId}`, contextOf(visit));
  }

  /** The user whose password was right; `null` when the text is forged, another visitor's or too old. */
  read(challenge: string, visit: Visit): VerifiedPassword | null {
    let opened: string;
    try {
      opened = this.box.open(challenge, contextOf(visit));
    } catch {
      return null;
    }
    const [expires, userId = '', passwordId = ''] = opened.split(' ');
    return Number(expires) > databaseNow().getTime() ? { userId, passwordId } : null;
  }
}

function contextOf(visit: Visit): string {
  return `second-factor:${visit.csrf}`;
}
