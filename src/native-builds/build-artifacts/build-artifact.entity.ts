import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnumColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Blob } from '../../storage/blobs/blob.entity.js';
import { Build } from '../builds/build.entity.js';

export const artifactTypes = ['aab', 'apk', 'app', 'dsym', 'ipa', 'manifest', 'xcarchive', 'zip'] as const;
export type ArtifactType = (typeof artifactTypes)[number];

export const artifactStatuses = ['pending', 'ready'] as const;
export type ArtifactStatus = (typeof artifactStatuses)[number];

/** What a build produced. The artifact of a web build is the live-update bundle, under the same id. */
@Entity('build_artifacts')
export class BuildArtifact extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => Build, { onDelete: 'CASCADE' })
  buildId!: string;

  @EnumColumn(artifactTypes)
  type!: ArtifactType;

  /** Only what is `ready` is ever served. */
  @EnumColumn(artifactStatuses, { default: 'pending' })
  status!: ArtifactStatus;

  /** The file: the zip, the binary, or the manifest itself. `null` while pending and for registered bundles. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Blob)
  blobId!: string | null;

  @Column('text', { nullable: true })
  fileName!: string | null;

  @Column('text', { nullable: true })
  fileMimeType!: string | null;

  /** Bytes of the file. */
  @Column('bigint', { nullable: true })
  fileSizeInBytes!: number | null;

  /** Bytes of all files of the artifact. */
  @Column('bigint', { nullable: true })
  totalSizeInBytes!: number | null;

  /** SHA-256 in hexadecimal digits that a runner announced; `null`: no runner uploads it. */
  @Column('text', { nullable: true })
  announcedSha256!: string | null;

  /** Of the file, by people and devices; not of the single files of a bundle in manifest form. */
  @Column('integer', { default: 0 })
  totalDownloads!: number;
}
