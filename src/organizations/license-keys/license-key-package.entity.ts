import { Column, Entity, ForeignKey, Unique } from 'typeorm';
import { Row } from '../../database/schema/row.entity.js';
import { LicenseKey } from './license-key.entity.js';

/** A package that a license key gives access to. */
@Entity('license_key_packages')
@Unique('license_key_packages_license_key_id_package_id_key', ['licenseKeyId', 'packageId'])
export class LicenseKeyPackage extends Row {
  @Column('uuid')
  @ForeignKey(() => LicenseKey, { onDelete: 'CASCADE', name: 'license_key_packages_license_key_id_fkey' })
  licenseKeyId!: string;

  /** From `LICENSE_PACKAGES`, from where it may be gone. */
  @Column('uuid')
  packageId!: string;
}
