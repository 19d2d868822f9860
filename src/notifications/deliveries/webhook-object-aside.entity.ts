import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Webhook } from '../webhooks/webhook.entity.js';

/** An object whose events wait beside the others, because the receiver of a webhook fails for one of them. */
@Entity('webhook_objects_aside')
export class WebhookObjectAside {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Webhook, { onDelete: 'CASCADE', name: 'webhook_objects_aside_webhook_id_fkey' })
  webhookId!: string;

  @PrimaryColumn('uuid')
  objectId!: string;

  /** When its first pending event is tried again. */
  @TimeColumn()
  retryAt!: Date;

  /** For how long that was planned ahead, in milliseconds: as `waitMs` of schedules. */
  @Column('bigint')
  waitMs!: number;
}
