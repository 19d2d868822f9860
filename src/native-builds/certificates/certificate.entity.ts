import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';

export const certificatePlatforms = ['android', 'ios', 'web'] as const;
export type CertificatePlatform = (typeof certificatePlatforms)[number];

export const certificateTypes = ['development', 'production'] as const;
export type CertificateType = (typeof certificateTypes)[number];

export const CERTIFICATES_NAME_KEY = 'certificates_app_id_platform_type_name_lower_key';

/** A key that builds sign with: of the platform `web`, a private key that signs live updates. */
@Entity('certificates')
@Unique(CERTIFICATES_NAME_KEY, ['appId', 'platform', 'type', 'nameLower'])
@Index(['appId', 'nameLower'])
@Check('certificates_sealed_file_check', `sealed_file LIKE 'v1.%'`)
@Check('certificates_sealed_password_check', `sealed_password LIKE 'v1.%'`)
@Check('certificates_sealed_key_password_check', `sealed_key_password LIKE 'v1.%'`)
@Check('certificates_sealed_signing_key_check', `sealed_signing_key LIKE 'v1.%'`)
export class Certificate extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('text')
  name!: string;

  /** The name as it is compared: see `nameKey`. */
  @Column('text')
  nameLower!: string;

  @EnumColumn(certificatePlatforms)
  platform!: CertificatePlatform;

  @EnumColumn(certificateTypes)
  type!: CertificateType;

  /** Without folders. */
  @Column('text')
  fileName!: string;

  @Column('text')
  fileMimeType!: string;

  @Column('integer')
  fileSizeInBytes!: number;

  /** `null`: it does not expire. */
  @TimeColumn({ nullable: true })
  expiresAt!: Date | null;

  /** The entry of an Android keystore; `null`: none. */
  @Column('text', { nullable: true })
  keyAlias!: string | null;

  /** Whom the certificate in the file is made out to, such as `CN=Upload, O=Example`; `null`: the file has none. */
  @Column('text', { nullable: true })
  subject!: string | null;

  /** The SHA-256 hash of that certificate, as `keytool` and Google Play show it; `null`: the file has none. */
  @Column('text', { nullable: true })
  sha256Fingerprint!: string | null;

  /** The team of Apple that a certificate for iOS belongs to: ten letters and digits; `null`: it is for another platform. */
  @Column('text', { nullable: true })
  teamId!: string | null;

  /**
   * The file in Base64, as `SecretBox` sealed it for the context `certificates:<id>`. Secrets are read only where they are
   * needed.
   */
  @Column('text', { select: false })
  sealedFile!: string;

  /** The password of the file, sealed likewise; `null`: none. */
  @Column('text', { nullable: true, select: false })
  sealedPassword!: string | null;

  /** The password of the key in the file, sealed likewise; `null`: none. */
  @Column('text', { nullable: true, select: false })
  sealedKeyPassword!: string | null;

  /**
   * The private key of a web certificate, opened: PKCS#8 as DER in Base64, sealed likewise. `null`: the certificate is for
   * another platform, or has not signed since keys are kept.
   */
  @Column('text', { nullable: true, select: false })
  sealedSigningKey!: string | null;

  /** Patterns of the only branches and tags whose builds can use it; empty: all can. */
  @Column('text', { array: true, default: () => "'{}'" })
  allowedRefs!: string[];

  /** Whether using and changing it requires `certificates:use`. */
  @Column('boolean', { default: false })
  protected!: boolean;

  /** `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdByUserId!: string | null;

  /** `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  updatedByUserId!: string | null;
}
