import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { databaseNow } from '../../common/database-clock.js';
import { hashToken } from '../../common/access/api-token.js';
import { ConflictError, ForbiddenError, NotFoundError, errorOf } from '../../common/errors/app-error.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { insertOrThrow } from '../../database/rows.js';
import { savepoint, transaction } from '../../database/transactions/transaction.js';
import { SESSION_CODES_CODE_KEY, SessionCode } from './session-code.entity.js';
import { type Decider, SessionCodesQueries } from './session-codes.queries.js';
import { type NewSession, SessionsService } from '../sessions/sessions.service.js';
import { SignInNotices } from '../account-mails/sign-in-notices.service.js';
import { UsersService } from '../users/users.service.js';
import { isOutdatedCli } from './outdated-cli.js';
import { generateUserCode } from './user-code.js';
import { inFuture } from '../../database/database-time.js';

const VALID_FOR_MINUTES = 10;
/** Random codes to try before giving up. A second collision in a row is already next to impossible. */
const ATTEMPTS = 5;

/** What a program receives when it asks to be signed in. */
export interface NewSessionCode {
  /** The secret; only its hash is stored. */
  readonly id: string;
  /** What people type. */
  readonly code: string;
}

/** Signs in programs by a code that a user approves in a browser (as RFC 8628). */
@Injectable()
export class SessionCodesService {
  constructor(
    @InjectRepository(SessionCode) private readonly codes: Repository<SessionCode>,
    private readonly queries: SessionCodesQueries,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly notices: SignInNotices,
  ) {}

  /**
   * Starts a sign-in. Codes are kept for a day after they expire, so that their programs learn that they expired.
   *
   * @param origin where the program asks from; the page of the approval shows it
   */
  async create(origin: RequestOrigin): Promise<NewSessionCode> {
    await this.queries.deleteOld();
    const id = randomBytes(24).toString('base64url');
    const expiresAt = databaseNow(VALID_FOR_MINUTES * 60_000);
    for (let attempt = 1; ; attempt++) {
      const code = generateUserCode();
      try {
        await savepoint(() =>
          insertOrThrow(
            this.codes,
            {
              hash: hashToken(id),
              code,
              expiresAt,
              address: origin.address ?? '',
              userAgent: origin.userAgent,
            },
            { [SESSION_CODES_CODE_KEY]: () => new ConflictError('This code is taken.') },
          ),
        );
        return { id, code };
      } catch (error) {
        if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Exchanges the program's secret for a session, once.
   *
   * @throws InvalidRequestError while the code waits for a decision
   * @throws ForbiddenError when it was denied
   * @throws GoneError when it has expired or was exchanged before
   * @throws NotFoundError when there is no such code, also when its approver was disabled
   */
  exchange(id: string, origin: RequestOrigin): Promise<NewSession> {
    const hash = hashToken(id);
    return transaction(async () => {
      const approver = await this.queries.consume(hash);
      if (approver === null) throw await this.refusal(hash);
      await this.notices.record(await this.users.get(approver.userId), origin);
      return this.sessions.create(approver.userId, 'device', origin, approver);
    });
  }

  /** Finds a typed code. @returns `null` when there is none that waits for a decision */
  findPending(code: string): Promise<SessionCode | null> {
    return this.codes.findOneBy({ code, status: 'created', expiresAt: inFuture });
  }

  /**
   * Approves or denies a code. The new session inherits how the deciding user signed in.
   *
   * @param decider the user, and how the user signed in
   * @returns `false` when the code no longer waits for a decision
   * @throws ForbiddenError when the user has just been disabled
   */
  decide(id: string, decider: Decider, status: 'approved' | 'denied'): Promise<boolean> {
    const { userId, method, secondFactorAt, provedAt } = decider;
    return transaction(async () => {
      await this.users.lockEnabled(userId);
      const { affected } = await this.codes.update(
        { id, status: 'created', expiresAt: inFuture },
        { status, userId, method, secondFactorAt, provedAt },
      );
      return affected === 1;
    });
  }

  /** Deletes the codes that a user has decided about, also approved ones that were not exchanged yet. */
  async deleteAll(userId: string): Promise<void> {
    await this.codes.delete({ userId });
  }

  private async refusal(hash: string): Promise<Error> {
    const found = await this.codes.findOneBy({ hash });
    if (found === null) return new NotFoundError('Session code');
    if (found.status === 'consumed') return errorOf('session_code_consumed');
    if (found.status === 'denied') {
      const message = isOutdatedCli(found.userAgent)
        ? 'This version of the command-line tool cannot be signed in with a code: use "login --token".'
        : 'The sign-in was denied.';
      return new ForbiddenError(message, 'session_code_denied');
    }
    // Approved, and not consumed: the password has changed since, which ends what was approved before.
    if (found.expiresAt <= databaseNow() || found.status === 'approved') {
      return errorOf('session_code_expired');
    }
    return errorOf('session_code_pending');
  }
}
