import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { CreatedAtColumn, TimeColumn } from '../../database/schema/columns.js';
import { BuildArtifact } from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { Deployment } from '../deployments/deployment.entity.js';

export const bundleTypes = ['zip', 'manifest'] as const;
export type BundleType = (typeof bundleTypes)[number];

/** The live-update side of a web build's artifact: what devices need to know, and where it goes once it is ready. */
@Entity('bundles')
@Index(['appId', 'createdAt', 'id'])
@Check('bundles_rollout_percentage_check', `rollout_percentage BETWEEN 0 AND 1`)
@Check('bundles_legal_hold_check', `(legal_hold_at IS NULL) = (legal_hold_reason IS NULL)`)
export class Bundle {
  /** The id of the artifact. */
  @PrimaryColumn('uuid')
  @ForeignKey(() => BuildArtifact, { onDelete: 'CASCADE' })
  id!: string;

  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /**
   * The channel that the bundle goes to when it becomes ready; `null`: none. Without foreign key on purpose: when
   * the channel is gone by then, publishing must fail and not silently go nowhere.
   */
  @Column('uuid', { nullable: true })
  channelId!: string | null;

  /** Share of devices that receive it, 0 to 1. */
  @Column('double precision', { default: 1 })
  rolloutPercentage!: number;

  /** Those of the deployment that publishing makes. */
  @Column('text', { nullable: true })
  notes!: string | null;

  /** The deployment that publishing made. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Deployment, { onDelete: 'SET NULL' })
  deploymentId!: string | null;

  /** Where a registered bundle is hosted by its owner; `null`: here. */
  @Column('text', { nullable: true })
  url!: string | null;

  /** SHA-256 of the zip, lower-case hexadecimal. */
  @Column('text', { nullable: true })
  checksum!: string | null;

  /** Signature of the zip, Base64 (RSA PKCS#1 v1.5 over SHA-256). */
  @Column('text', { nullable: true })
  signature!: string | null;

  /** Whether the zip, or every file of the manifest form, is signed. */
  @Column('boolean', { default: false })
  signed!: boolean;

  /** What bundles have in common that are the same to devices: see `contentDigest`. `null`: not known, or not published. */
  @Column('text', { nullable: true })
  contentDigest!: string | null;

  /** From then on, only devices that run the bundle are offered it; `null`: never. */
  @TimeColumn({ nullable: true })
  expiresAt!: Date | null;

  /**
   * Last time when its roll-backs were reset, so that it is offered again; `null`: never. The trigger `clear_rollbacks`
   * deletes their counts.
   */
  @TimeColumn({ nullable: true })
  rollbacksClearedAt!: Date | null;

  /**
   * Start of the legal hold, which prevents deletion; `null`: no legal hold. The trigger `bundles_legal_hold` enforces
   * it.
   */
  @TimeColumn({ nullable: true })
  legalHoldAt!: Date | null;

  @Column('text', { nullable: true })
  legalHoldReason!: string | null;

  @CreatedAtColumn()
  createdAt!: Date;
}
