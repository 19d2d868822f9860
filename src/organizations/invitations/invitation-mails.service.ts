import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { inFuture } from '../../database/database-time.js';
import type { Repository } from 'typeorm';
import { mailProblem, MailerService } from '../../mail/mailer.service.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { invitationMail } from './invitation-mail.js';
import { Invitation } from './invitation.entity.js';
import { InvitationLinksService } from './invitation-links.service.js';
import { InvitationsQueries } from './invitations.queries.js';

/** Retries after 3 seconds up to an hour, for more than a day in all. */
const QUEUE: QueueDefinition = {
  name: 'invitation-mails',
  retryLimit: 40,
  retryDelay: 3,
  retryDelayMax: 3600,
  // Longer than the time-outs of an attempt together.
  expireInSeconds: 120,
};

interface Job {
  readonly invitationId: string;
}

/** Mails invitations, with links, after the request that creates them. Does nothing when mail is not configured. */
@Injectable()
export class InvitationMailsService implements OnModuleInit {
  private readonly logger = new Logger(InvitationMailsService.name);

  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly queries: InvitationsQueries,
    private readonly links: InvitationLinksService,
    private readonly mailer: MailerService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<Job>(QUEUE, ({ invitationId }) => this.deliver(invitationId));
  }

  get areConfigured(): boolean {
    return this.mailer.isConfigured;
  }

  /** Mails the invitation once the transaction is committed. */
  async send({ id: invitationId, organizationId }: Invitation): Promise<void> {
    if (!this.areConfigured) return;
    await this.queue.send(QUEUE, organizationId, { invitationId } satisfies Job);
  }

  /** @throws Error when the mail server refuses it, so that the queue retries */
  private async deliver(id: string): Promise<void> {
    const invitation = await this.invitations.findOneBy({ id, status: 'pending', expiresAt: inFuture });
    if (invitation === null || invitation.mailedAt !== null) return;
    const details = await this.queries.mailDetails(invitation);
    if (details === null) return;
    const mail = invitationMail(invitation, details, await this.linkOf(invitation));
    try {
      await this.mailer.send(mail);
    } catch (error) {
      const problem = mailProblem(error);
      this.logger.warn(`Invitation ${id} was not mailed: ${problem}`);
      await this.note(id, { mailError: problem });
      throw new Error(problem, { cause: error });
    }
    await this.note(id, { mailedAt: new Date(), mailError: null });
  }

  /**
   * A new link for each attempt, because only its mail has the secret. The link of a failed one stays: the mail
   * server may have taken the message all the same.
   */
  private async linkOf(invitation: Invitation): Promise<{ url: string; withSecret: boolean }> {
    const withSecret = this.links.enabled;
    const path = withSecret ? await this.links.create(invitation, true) : '/settings/invitations';
    return { url: this.mailer.publicUrl + path, withSecret };
  }

  /** Keeps `updatedAt`, because the invitation itself has not changed. */
  private async note(
    id: string,
    changes: Partial<Pick<Invitation, 'mailedAt' | 'mailError'>>,
  ): Promise<void> {
    await this.invitations.update({ id }, { ...changes, updatedAt: () => 'updated_at' });
  }
}
