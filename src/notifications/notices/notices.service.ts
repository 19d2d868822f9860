import { Injectable, type OnModuleInit } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { transaction } from '../../database/transactions/transaction.js';
import { EventCatalogue } from '../../events/event-catalogue.js';
import { MailerService } from '../../mail/mailer.service.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { type DispatchedEvent, DispatchedEvents } from '../dispatcher/dispatched-events.js';
import { NoticeMailsService } from './notice-mails.service.js';
import { type NoticedDefinition, noticedDefinition } from './noticed-definition.js';
import { NoticesQueries } from './notices.queries.js';

/** One job of an organization at a time, so that its events are looked at in their order. */
const QUEUE: QueueDefinition = {
  name: 'notices',
  retryLimit: 20,
  retryDelay: 3,
  retryDelayMax: 600,
  expireInSeconds: 300,
};

interface Job {
  readonly organizationId: string;
  readonly events: readonly Pick<DispatchedEvent, 'id' | 'type'>[];
}

/** Finds out who gets mails about events. Does nothing when mail is not configured. */
@Injectable()
export class NoticesService implements OnModuleInit {
  constructor(
    private readonly catalogue: EventCatalogue,
    private readonly dispatched: DispatchedEvents,
    private readonly queries: NoticesQueries,
    private readonly mails: NoticeMailsService,
    private readonly mailer: MailerService,
    private readonly queue: QueueService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<Job>(QUEUE, (job) => this.address(job));
    this.dispatched.numbered.register((events) => this.plan(events));
  }

  /** One job for each organization: the dispatcher waits for nothing else. */
  private async plan(events: readonly DispatchedEvent[]): Promise<void> {
    if (!this.mailer.isConfigured) return;
    const noticed = events.filter(({ type, data }) => {
      const notice = noticedDefinition(this.catalogue, type)?.notice;
      return notice !== undefined && (notice.when?.(data) ?? true);
    });
    for (const [organizationId, own] of Map.groupBy(noticed, (event) => event.organizationId)) {
      const job: Job = { organizationId, events: own.map(({ id, type }) => ({ id, type })) };
      await this.queue.send(QUEUE, organizationId, job);
    }
  }

  private async address({ organizationId, events }: Job): Promise<void> {
    for (const { id, type } of events) {
      const definition = noticedDefinition(this.catalogue, type);
      if (definition !== null) await transaction(() => this.addressOne(organizationId, id, definition));
    }
  }

  /** Runs again without a second mail: its users have one of this hour then. */
  private async addressOne(
    organizationId: string,
    eventId: string,
    definition: NoticedDefinition,
  ): Promise<void> {
    const userIds = await this.queries.recipients(eventId, definition);
    if (userIds.length === 0) return;
    const mails = userIds.map((userId) => ({ id: uuid(), userId }));
    await this.mails.send(organizationId, await this.queries.insert(eventId, mails));
  }
}
