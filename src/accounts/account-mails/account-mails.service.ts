import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import { mailProblem, MailerService } from '../../mail/mailer.service.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { UsersService } from '../users/users.service.js';
import { type AccountEvent, accountMail, type AccountNotice } from './account-mail.js';

/** Retries after 3 seconds up to an hour, for more than a day in all. */
const QUEUE: QueueDefinition = {
  name: 'account-mails',
  retryLimit: 40,
  retryDelay: 3,
  retryDelayMax: 3600,
  // Longer than the time-outs of an attempt together.
  expireInSeconds: 120,
};

/** Mails users about what happens to their accounts. Does nothing when mail is not configured. */
@Injectable()
export class AccountMailsService implements OnModuleInit {
  private readonly logger = new Logger(AccountMailsService.name);

  constructor(
    private readonly users: UsersService,
    private readonly mailer: MailerService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<AccountNotice>(QUEUE, (notice) => this.deliver(notice));
  }

  /**
   * Mails the user once the transaction is committed, with the address and the program of the running request.
   *
   * @param name what the event is about, such as the name of a token
   */
  async send(userId: string, event: AccountEvent, name: string | null = null): Promise<void> {
    if (!this.mailer.isConfigured) return;
    const { address = null, userAgent = null } = currentActor() ?? {};
    const at = new Date().toISOString();
    const notice: AccountNotice = { id: uuid(), userId, event, name, at, address, userAgent };
    await transaction(() => this.queue.send(QUEUE, userId, notice));
  }

  /** @throws Error when the mail server refuses it, so that the queue retries */
  private async deliver(notice: AccountNotice): Promise<void> {
    const user = await this.users.find(notice.userId);
    if (user === null || user.disabledAt !== null) return;
    try {
      await this.mailer.send(accountMail(notice, user.email, this.mailer.publicUrl));
    } catch (error) {
      const problem = mailProblem(error);
      this.logger.warn(`Account mail ${notice.id} was not mailed: ${problem}`);
      throw new Error(problem, { cause: error });
    }
  }
}
