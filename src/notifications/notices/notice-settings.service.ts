import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { UsersService } from '../../accounts/users/users.service.js';
import type { NoticeKind } from '../../events/event-definition.js';
import { MailerService } from '../../mail/mailer.service.js';
import { NoticeSettings } from './notice-settings.entity.js';
import type { UpdateNoticesDto } from './notices.dto.js';

type Settings = Readonly<Record<NoticeKind, boolean>>;

/** Those of a user without a row: the defaults of the columns. */
export const defaultNotices: Settings = { approvals: true, health: false, webhooks: true };

/** Which mails about events users want. */
@Injectable()
export class NoticeSettingsService {
  constructor(
    @InjectRepository(NoticeSettings) private readonly settings: Repository<NoticeSettings>,
    private readonly users: UsersService,
    private readonly mailer: MailerService,
  ) {}

  /** Those of a user; the defaults, if the user has never changed them. */
  async get(userId: string): Promise<Settings> {
    return (await this.settings.findOneBy({ userId })) ?? defaultNotices;
  }

  /** Changes some of them. @returns all of them */
  async update(userId: string, { approvals, health, webhooks }: UpdateNoticesDto): Promise<Settings> {
    const given = Object.entries({ approvals, health, webhooks }).filter(([, value]) => value !== undefined);
    if (given.length > 0) await this.settings.upsert({ userId, ...Object.fromEntries(given) }, ['userId']);
    return this.get(userId);
  }

  /** Switches one kind of mails off, without a sign-in. Does nothing when the user is deleted. */
  async switchOff(userId: string, kind: NoticeKind): Promise<void> {
    if ((await this.users.find(userId)) !== null) await this.update(userId, { [kind]: false });
  }

  /** Why the user gets no mail at all, in a sentence; `null`: mails are sent. @throws NotFoundError */
  async unavailableFor(userId: string): Promise<string | null> {
    if (!this.mailer.isConfigured) {
      return 'No mail is sent: this server has no mail server. Ask its operator to set SMTP_URL.';
    }
    const { emailVerified } = await this.users.get(userId);
    return emailVerified ? null : 'No mail is sent to you: your e-mail address is not verified.';
  }
}
