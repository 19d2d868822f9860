import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { TimeColumn } from '../../database/schema/columns.js';
import { Row } from '../../database/schema/row.entity.js';
import { Organization } from '../organizations/organization.entity.js';

export const LICENSE_KEYS_ORGANIZATION_FKEY = 'license_keys_organization_id_fkey';

/** A key that gives access to packages from the operator's catalogue. */
@Entity('license_keys')
@Unique('license_keys_key_hash_key', ['keyHash'])
@Check('license_keys_key_hash_check', `char_length(key_hash) = 64`)
@Check('license_keys_sealed_key_check', `sealed_key LIKE 'v1.%'`)
export class LicenseKey extends Row {
  @Index()
  @Column('uuid')
  @ForeignKey(() => Organization, { onDelete: 'CASCADE', name: LICENSE_KEYS_ORGANIZATION_FKEY })
  organizationId!: string;

  @Column('text')
  name!: string;

  /** SHA-256 of the key, lower-case hexadecimal: by it a key is found. */
  @Column('text')
  keyHash!: string;

  /** The key as `SecretBox` sealed it, for the context `license_keys:<id>`. */
  @Column('text')
  sealedKey!: string;

  /** `null`: does not expire. */
  @TimeColumn({ nullable: true })
  expiresAt!: Date | null;

  /** When the set of packages last became another one; the key is locked for some time from then on. */
  @TimeColumn()
  packagesChangedAt!: Date;
}
