import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { transaction } from '../../database/transactions/transaction.js';
import { mailProblem, MailerService } from '../../mail/mailer.service.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { AttemptsService } from '../sign-in-attempts/attempts.service.js';
import { SignInLinksService } from '../sign-in-links/sign-in-links.service.js';
import { UsersService } from '../users/users.service.js';
import { NEW_PASSWORD_MINUTES, newPasswordMail } from './new-password-mail.js';

/** Mails for one address without delay; each further one doubles the time until the next, up to 15 minutes. */
const FREE_PER_ADDRESS = 3;

/** Retries after 3 seconds and more, for less than an hour: later, no user waits for the mail. */
const QUEUE: QueueDefinition = {
  name: 'new-password-mails',
  retryLimit: 9,
  retryDelay: 3,
  retryDelayMax: 1200,
  // Longer than the time-outs of an attempt together.
  expireInSeconds: 120,
};

/** One request, as the queue keeps it. Has no secret: the link is made when it is mailed. */
interface Job {
  readonly id: string;
  /** `null`: there is no such user. The job exists all the same, so that the request takes as long. */
  readonly userId: string | null;
}

/** Mails links with which users set a new password. */
@Injectable()
export class NewPasswordMails implements OnModuleInit {
  private readonly logger = new Logger(NewPasswordMails.name);

  constructor(
    private readonly users: UsersService,
    private readonly attempts: AttemptsService,
    private readonly links: SignInLinksService,
    private readonly mailer: MailerService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<Job>(QUEUE, (job) => this.deliver(job));
  }

  /**
   * Mails a link if a user has this address and may set a new password. Does nothing when the address had several lately.
   *
   * @param email as it was typed
   */
  async request(email: string): Promise<void> {
    const account = email.trim().toLowerCase();
    const permit = await this.attempts.take(['new password', account], FREE_PER_ADDRESS);
    if (!permit.allowed) return;
    const user = await this.users.findByEmail(account);
    const job: Job = { id: uuid(), userId: user?.id ?? null };
    await transaction(() => this.queue.send(QUEUE, job.userId ?? job.id, job));
  }

  /** @throws Error when the mail server refuses it, so that the queue retries */
  private async deliver({ id, userId }: Job): Promise<void> {
    const user = userId === null ? null : await this.users.find(userId);
    const path =
      user === null ? null : await this.links.create(user.id, 'new-password', NEW_PASSWORD_MINUTES);
    if (user === null || path === null) return;
    try {
      await this.mailer.send(newPasswordMail(id, user.email, this.mailer.publicUrl + path));
    } catch (error) {
      // The next attempt makes another one.
      await this.links.delete(path);
      const problem = mailProblem(error);
      this.logger.warn(`Mail ${id} with a link to a new password was not mailed: ${problem}`);
      throw new Error(problem, { cause: error });
    }
  }
}
