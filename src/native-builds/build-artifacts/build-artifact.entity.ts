import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Row } from '../../database/row.entity.js';
import { Blob } from '../../storage/blobs/blob.entity.js';
import { Build } from '../builds/build.entity.js';

export const artifactTypes = ['aab', 'apk', 'app', 'dsym', 'ipa', 'manifest', 'xcarchive', 'zip'] as const;
export type ArtifactType = (typeof artifactTypes)[number];

export const artifactStatuses = ['pending', 'ready'] as const;
export type ArtifactStatus = (typeof artifactStatuses)[number];

/** What a build produced. The artifact of a web build is the live-update bundle, under the same id. */
@Entity('build_artifacts')
@Check(
  'build_artifacts_type_check',
  `type IN ('aab', 'apk', 'app', 'dsym', 'ipa', 'manifest', 'xcarchive', 'zip')`,
)
@Check('build_artifacts_status_check', `status IN ('pending', 'ready')`)
export class BuildArtifact extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => Build, { onDelete: 'CASCADE' })
  buildId!: string;

  @Column('text')
  type!: ArtifactType;

  /** Only what is `ready` is ever served. */
  @Column('text', { default: 'pending' })
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
  @Column('bigint', { nullable: true, transformer: { to: (v: number | null) => v, from: toNumber } })
  fileSizeInBytes!: number | null;

  /** Bytes of all files of the artifact. */
  @Column('bigint', { nullable: true, transformer: { to: (v: number | null) => v, from: toNumber } })
  totalSizeInBytes!: number | null;

  /** Of the file, by people and devices; not of the single files of a bundle in manifest form. */
  @Column('integer', { default: 0 })
  totalDownloads!: number;
}

/** PostgreSQL's `bigint` arrives as text. */
function toNumber(value: string | null): number | null {
  return value === null ? null : Number(value);
}
