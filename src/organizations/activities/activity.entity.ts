import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Organization } from '../organizations/organization.entity.js';

/** What is recorded besides changes of rows. */
export const activityKinds = [
  'devices-erased',
  'devices-exported',
  'audit-log-exported',
  'license-keys-read',
  'environment-secrets-read',
  'certificate-read',
  'call-refused',
  'webhook-delivery-skipped',
] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** An action that changes no audited row. Its insertion writes the event of the audit log; the row is kept for a day. */
@Entity('activities')
@Unique(['throttleKey'])
@Index(['createdAt'])
@Check('activities_count_check', `count >= 0`)
export class Activity extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE' })
  organizationId!: string;

  /** The app that it concerns; `null`: none. */
  @Column('uuid', { nullable: true })
  appId!: string | null;

  @EnumColumn(activityKinds)
  kind!: ActivityKind;

  /** How many objects; `null`: not counted. */
  @Column('integer', { nullable: true })
  count!: number | null;

  /** The one object, with the reason if there is one, or the code of the refusal; `null`: neither. */
  @Column('text', { nullable: true })
  detail!: string | null;

  /** Of several with the same key only the first is recorded; `null`: all are. */
  @Column('text', { nullable: true })
  throttleKey!: string | null;
}
