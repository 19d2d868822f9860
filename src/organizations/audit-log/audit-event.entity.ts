import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';

export const auditActions = ['created', 'updated', 'deleted'] as const;
export type AuditAction = (typeof auditActions)[number];

/** What the triggers call the rows that they record; a test compares the two. */
export const auditObjectTypes = [
  'activity',
  'app',
  'app-repository',
  'automation',
  'build',
  'build-artifact',
  'build-deployment',
  'build-share',
  'build-source',
  'bundle',
  'certificate',
  'channel',
  'configuration',
  'deployment',
  'deployment-approval',
  'destination',
  'device',
  'device-rollback',
  'environment',
  'environment-secret',
  'environment-variable',
  'git-connection',
  'git-hook',
  'invitation',
  'job',
  'license-key',
  'license-key-package',
  'member',
  'organization',
  'password',
  'provisioning-profile',
  'recovery-code',
  'rollout-plan',
  'runner',
  'session',
  'store-key',
  'store-release',
  'submission',
  'team',
  'team-app',
  'team-member',
  'token',
  'two-factor',
  'user',
  'user-identity',
  'webhook',
] as const;
export type AuditObjectType = (typeof auditObjectTypes)[number];

/** Values of an object's fields by their names in the API. */
export type AuditValues = Readonly<Record<string, unknown>>;

/**
 * One change of one object, in the log of one organization. Written by the trigger function `audit_change` alone, never
 * changed, and without foreign keys: it outlives everything that it speaks of. See docs/audit-log.md.
 */
@Entity('audit_events')
@Unique(['organizationId', 'sequence'])
@Index(['organizationId', 'createdAt'])
@Index(['organizationId', 'objectId', 'sequence'])
@Index(['organizationId', 'userId', 'sequence'])
@Index(['organizationId', 'appId', 'sequence'])
@Check('audit_events_sequence_check', `sequence > 0`)
export class AuditEvent {
  /** A random UUID, made by the database. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organizationId!: string;

  /** From 1, without gaps. */
  @Column('bigint')
  sequence!: number;

  /** When the transaction was committed; never before that of the event before. */
  @TimeColumn()
  createdAt!: Date;

  @EnumColumn(auditActions)
  action!: AuditAction;

  @Column('text')
  objectType!: AuditObjectType;

  /** A UUID, but for devices, which choose their ids. */
  @Column('text')
  objectId!: string;

  /** What people know it by, at that time; for what belongs to a user the user's e-mail address. */
  @Column('text', { nullable: true })
  objectName!: string | null;

  /** The app that the object is or belongs to. */
  @Column('uuid', { nullable: true })
  appId!: string | null;

  /** `null`: no user was signed in, or an operator command. */
  @Column('uuid', { nullable: true })
  userId!: string | null;

  /** Of the user, at that time. */
  @Column('text', { nullable: true })
  userEmail!: string | null;

  /** The API token that was used. */
  @Column('uuid', { nullable: true })
  tokenId!: string | null;

  /** The session that was used. */
  @Column('uuid', { nullable: true })
  sessionId!: string | null;

  @Column('text', { nullable: true })
  address!: string | null;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  /** `null`: no request, but a program at the console. */
  @Column('text', { nullable: true })
  requestId!: string | null;

  /** Id of the operation in the OpenAPI document, or what the pages call theirs; `null` as `requestId`. */
  @Column('text', { nullable: true })
  operation!: string | null;

  /** `null` for what was created. */
  @Column('jsonb', { nullable: true })
  before!: AuditValues | null;

  /** `null` for what was deleted. */
  @Column('jsonb', { nullable: true })
  after!: AuditValues | null;

  /** `hash` of the event before; of the first one, 64 zeros. */
  @Column('text')
  previousHash!: string;

  /** SHA-256, lower-case hexadecimal: see `hashOf`. */
  @Column('text')
  hash!: string;
}
