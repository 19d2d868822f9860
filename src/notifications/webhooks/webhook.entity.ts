import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { VersionedRow } from '../../database/schema/versioned-row.entity.js';
import { Organization } from '../../organizations/organizations/organization.entity.js';

export const WEBHOOKS_ORGANIZATION_FKEY = 'webhooks_organization_id_fkey';
export const WEBHOOKS_APP_FKEY = 'webhooks_app_id_fkey';

export const webhookFormats = ['raw', 'slack', 'teams', 'discord'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** In which order events are sent: `strict`: all in that of their positions; `object`: those of each object. */
export const webhookOrderings = ['strict', 'object'] as const;
export type WebhookOrdering = (typeof webhookOrderings)[number];

/**
 * Why Slipway disabled it. `gone`: the receiver has responded with 410; `failing`: five days without one success;
 * `app-transferred`: its app has another organization.
 */
export const webhookDisabledReasons = ['gone', 'failing', 'app-transferred'] as const;
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number];

/** An address that gets events: those of one app, or of all apps of an organization and of the organization itself. */
@Entity('webhooks')
@Check('webhooks_events_check', 'cardinality(events) > 0')
@Check('webhooks_sealed_url_check', `sealed_url LIKE 'v1.%'`)
@Check(
  'webhooks_previous_signing_secret_check',
  '(sealed_previous_signing_secret IS NULL) = (previous_signing_secret_expires_at IS NULL)',
)
export class Webhook extends VersionedRow {
  @Index()
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE', name: WEBHOOKS_ORGANIZATION_FKEY })
  organizationId!: string;

  /** `null`: of the organization. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => App, { onDelete: 'CASCADE', name: WEBHOOKS_APP_FKEY })
  appId!: string | null;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  /** As `SecretBox` sealed it, for the context `webhooks:<id>`, like all that is sealed here: addresses of chats are credentials. */
  @Column('text')
  sealedUrl!: string;

  /** Host and port of the address, for people and the audit log. */
  @Column('text')
  host!: string;

  @EnumColumn(webhookFormats)
  format!: WebhookFormat;

  @EnumColumn(webhookOrderings, { default: 'strict' })
  ordering!: WebhookOrdering;

  /** Types of events; `*`: all. */
  @Column('text', { array: true })
  events!: readonly string[];

  /** Only events of these apps; empty: of all, and those without an app. Empty in webhooks of apps. */
  @Column('uuid', { array: true, default: '{}' })
  appIds!: readonly string[];

  /** Only events that concern these channels; empty: all events. */
  @Column('uuid', { array: true, default: '{}' })
  channelIds!: readonly string[];

  /** `null`: deliveries are not signed. */
  @Column('text', { nullable: true })
  sealedSigningSecret!: string | null;

  /** Signs as well until it expires, after a rotation. */
  @Column('text', { nullable: true })
  sealedPreviousSigningSecret!: string | null;

  @TimeColumn({ nullable: true })
  previousSigningSecretExpiresAt!: Date | null;

  /** Sealed JSON object of header names and values; `null`: none. */
  @Column('text', { nullable: true })
  sealedHeaders!: string | null;

  /** In alphabetical order. */
  @Column('text', { array: true, default: '{}' })
  headerNames!: readonly string[];

  @Column('boolean', { default: true })
  enabled!: boolean;

  /** `null`: it is enabled, or a user has disabled it. */
  @EnumColumn(webhookDisabledReasons, { nullable: true })
  disabledReason!: WebhookDisabledReason | null;
}
