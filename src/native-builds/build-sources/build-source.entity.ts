import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Blob } from '../../storage/blobs/blob.entity.js';

export const buildSourceStatuses = ['pending', 'ready'] as const;
export type BuildSourceStatus = (typeof buildSourceStatuses)[number];

/** The zip of a project folder that builds are made of: uploaded, or fetched from an address. */
@Entity('build_sources')
@Index(['appId', 'createdAt'])
@Check('build_sources_size_in_bytes_check', `size_in_bytes >= 0`)
@Check('build_sources_blob_id_check', `status <> 'ready' OR blob_id IS NOT NULL`)
export class BuildSource extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @EnumColumn(buildSourceStatuses, { default: 'pending' })
  status!: BuildSourceStatus;

  /** As announced, until the bytes are stored; `null`: fetched, and not known yet. */
  @Column('bigint', { nullable: true })
  sizeInBytes!: number | null;

  /** The address that it is fetched from, without user name, password and query; `null`: uploaded. */
  @Column('text', { nullable: true })
  fileUrl!: string | null;

  /** The whole address, sealed, until it is fetched; `null`: it is, or it is uploaded. */
  @Column('text', { nullable: true })
  sealedFileUrl!: string | null;

  /** Why it will never be ready; `null`: it is, or it may become ready. */
  @Column('text', { nullable: true })
  failure!: string | null;

  /** Fetches that were begun. */
  @Column('integer', { default: 0 })
  fetches!: number;

  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Blob)
  blobId!: string | null;

  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdBy!: string | null;
}
