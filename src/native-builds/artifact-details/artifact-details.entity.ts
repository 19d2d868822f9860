import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type ApplePlatform, applePlatforms } from '../../common/apple-platforms.js';
import type { ProfileType } from '../../common/provisioning-profiles.js';
import { EnumColumn } from '../../database/schema/columns.js';
import { Blob } from '../../storage/blobs/blob.entity.js';
import { BuildArtifact } from '../build-artifacts/build-artifact.entity.js';

/** Kinds of devices; phones and tablets are none of them. */
export const formFactors = ['wear', 'tv', 'automotive'] as const;
export type FormFactor = (typeof formFactors)[number];

/** `v1`: `META-INF`. `v2`, `v3`: the signing block of an apk. `profile`: the provisioning profile of an ipa. */
export const signerSchemes = ['v1', 'v2', 'v3', 'profile'] as const;
export type SignerScheme = (typeof signerSchemes)[number];

/** Who signed a file, in JSON: see `ArtifactSigner`. */
export interface StoredSigner {
  readonly scheme: SignerScheme;
  readonly subject: string | null;
  readonly sha256: string | null;
  readonly expiresAt: string | null;
  readonly teamId: string | null;
  readonly profileType: ProfileType | null;
  /** Bundle id that the profile is for, with `*` for any rest; `null`, or absent in old rows: for Android, or not known. */
  readonly profileBundleId?: string | null;
  /** Devices that the profile lists; `null`, or absent in old rows: it lists none, or not known. */
  readonly deviceCount?: number | null;
}

/** What the file of an artifact says about the app, under the id of the artifact. It is derived from the file. */
@Entity('artifact_details')
export class ArtifactDetails {
  @PrimaryColumn('uuid')
  @ForeignKey(() => BuildArtifact, { onDelete: 'CASCADE' })
  id!: string;

  @Column('text')
  packageName!: string;

  @Column('text', { nullable: true })
  versionName!: string | null;

  @Column('text', { nullable: true })
  versionCode!: string | null;

  @Column('integer', { nullable: true })
  minSdkVersion!: number | null;

  @Column('integer', { nullable: true })
  targetSdkVersion!: number | null;

  /** Of iOS. */
  @Column('text', { nullable: true })
  minOsVersion!: string | null;

  @Column('text', { nullable: true })
  label!: string | null;

  /** `null`: phones and tablets. */
  @EnumColumn(formFactors, { nullable: true })
  formFactor!: FormFactor | null;

  @Column('boolean')
  debuggable!: boolean;

  /** What it runs on; `null`: for Android, or something else. */
  @EnumColumn(applePlatforms, { nullable: true })
  applePlatform!: ApplePlatform | null;

  /** Of iOS: what the file says about export compliance (`ITSAppUsesNonExemptEncryption`); `null`: nothing. */
  @Column('boolean', { nullable: true })
  usesNonExemptEncryption!: boolean | null;

  /** `null`: unsigned. */
  @Column('jsonb', { nullable: true })
  signer!: StoredSigner | null;

  /** `null`: none that can be shown. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Blob)
  iconBlobId!: string | null;

  @Column('text', { nullable: true })
  iconMimeType!: string | null;
}
