import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { SignIn } from '../sessions/session.entity.js';

/** The user who decides about a code, and how that user signed in. */
export type Decider = SignIn & { readonly userId: string };

@Injectable()
export class SessionCodesQueries {
  constructor(private readonly sql: Sql) {}

  /** Deletes codes that have been expired for a day: until then, their programs learn that they expired. */
  async deleteOld(): Promise<void> {
    await this.sql.execute(`DELETE FROM session_codes WHERE expires_at < now() - interval '1 day'`);
  }

  /**
   * Consumes an approved code, unless its approver has another password since. If two requests arrive at once, the second waits for the row and then finds it consumed.
   *
   * @param hash of the program's secret
   * @returns who approved it; `null` when it cannot be consumed
   */
  async consume(hash: string): Promise<Decider | null> {
    const [approver] = await this.sql.query<Decider>(
      `UPDATE session_codes SET status = 'consumed', updated_at = now()
        WHERE hash = $1 AND status = 'approved' AND expires_at > now()
          AND NOT EXISTS (SELECT FROM passwords WHERE passwords.user_id = session_codes.user_id
                                                  AND passwords.updated_at >= session_codes.updated_at)
        RETURNING user_id AS "userId", coalesce(method, 'password') AS method,
                  second_factor_at AS "secondFactorAt", proved_at AS "provedAt"`,
      [hash],
    );
    return approver ?? null;
  }
}
