import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { User } from '../../accounts/users/user.entity.js';
import { App } from '../../apps/apps/app.entity.js';
import { type ProfileType, profileTypes } from '../../common/provisioning-profiles.js';
import { EnumColumn, TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Certificate } from '../certificates/certificate.entity.js';

/** A provisioning profile of Apple: which apps, signed with which certificates, run on which devices. */
@Entity('provisioning_profiles')
@Index(['appId', 'createdAt', 'id'])
@Check('provisioning_profiles_sealed_file_check', `sealed_file LIKE 'v1.%'`)
export class ProvisioningProfile extends Row {
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  /** The certificate that it is used with; `null`: none yet. It is deleted with the certificate. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => Certificate, { onDelete: 'CASCADE' })
  certificateId!: string | null;

  /** Without folders. */
  @Column('text')
  fileName!: string;

  @Column('text')
  fileMimeType!: string;

  @Column('integer')
  fileSizeInBytes!: number;

  /** The identifier that Apple gave it (`UUID`). */
  @Column('text')
  uuid!: string;

  /** As Apple's page of profiles shows it. */
  @Column('text')
  name!: string;

  @EnumColumn(profileTypes)
  type!: ProfileType;

  /** Ten letters and digits. */
  @Column('text')
  teamId!: string;

  /** The bundle id that it is for, without the prefix of the team, with `*` for any rest. */
  @Column('text')
  bundleId!: string;

  /** Devices that it names; `null`: it is for all. */
  @Column('integer', { nullable: true })
  deviceCount!: number | null;

  @TimeColumn()
  expiresAt!: Date;

  /** The certificates that it allows, as SHA-256 in pairs of upper-case hexadecimal digits with colons between them. */
  @Column('text', { array: true })
  certificateFingerprints!: string[];

  /**
   * The file in Base64, as `SecretBox` sealed it for the context `provisioning_profiles:<id>`: it names the devices of
   * people.
   */
  @Column('text', { select: false })
  sealedFile!: string;

  /** `null`: the user was deleted. */
  @Index()
  @Column('uuid', { nullable: true })
  @ForeignKey(() => User, { onDelete: 'SET NULL' })
  createdByUserId!: string | null;
}
