import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Config, decryptionKeysOf } from '../../config/config.js';
import { EventCatalogue } from '../../events/event-catalogue.js';
import { mailProblem, MailerService } from '../../mail/mailer.service.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { NoticeMail } from './notice-mail.entity.js';
import { noticeMessage } from './notice-message.js';
import { noticedDefinition } from './noticed-definition.js';
import { NoticesQueries } from './notices.queries.js';
import { UNSUBSCRIBE_PATH, UnsubscribeTokens } from './unsubscribe/unsubscribe-token.js';

/** Retries after 3 seconds up to an hour, until the event is a day old. */
const QUEUE: QueueDefinition = {
  name: 'notice-mails',
  retryLimit: 40,
  retryDelay: 3,
  retryDelayMax: 3600,
  // Longer than the time-outs of an attempt together.
  expireInSeconds: 120,
};

interface Job {
  readonly id: string;
}

/** Sends mails about events, each to one user, if the user still may and wants to know. */
@Injectable()
export class NoticeMailsService implements OnModuleInit {
  private readonly logger = new Logger(NoticeMailsService.name);
  private readonly tokens: UnsubscribeTokens;

  constructor(
    @InjectRepository(NoticeMail) private readonly mails: Repository<NoticeMail>,
    private readonly catalogue: EventCatalogue,
    private readonly queries: NoticesQueries,
    private readonly mailer: MailerService,
    private readonly queue: QueueService,
    config: Config,
  ) {
    this.tokens = new UnsubscribeTokens(decryptionKeysOf(config));
  }

  onModuleInit(): void {
    this.queue.handle<Job>(QUEUE, ({ id }) => this.deliver(id));
  }

  /** Sends mails once the transaction is committed. @param organizationId that of their event */
  async send(organizationId: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.queue.send(QUEUE, organizationId, { id } satisfies Job);
  }

  /** @throws Error when the mail server refuses it, so that the queue retries */
  private async deliver(id: string): Promise<void> {
    const mail = await this.mails.findOneBy({ id });
    if (mail === null || mail.mailedAt !== null) return;
    const definition = noticedDefinition(this.catalogue, mail.type);
    const found = definition && (await this.queries.find(mail.eventId, mail.userId, definition));
    if (!found) return;
    const { notice, title, description } = definition;
    const { kind, advice } = notice;
    const token = this.tokens.make({ userId: mail.userId, kind });
    const message = noticeMessage(
      {
        ...found,
        id,
        kind,
        title,
        description,
        advice,
        isLast: mail.isLast,
        facts: definition.facts(found.data),
        at: found.createdAt,
        path: notice.path(found),
        page: notice.page?.(found) ?? null,
        unsubscribeUrl: `${this.mailer.publicUrl}${UNSUBSCRIBE_PATH}?token=${token}`,
      },
      this.mailer.publicUrl,
    );
    try {
      await this.mailer.send(message);
    } catch (error) {
      const problem = mailProblem(error);
      this.logger.warn(`Notice ${id} was not mailed: ${problem}`);
      throw new Error(problem, { cause: error });
    }
    await this.mails.update({ id }, { mailedAt: new Date() });
  }
}
