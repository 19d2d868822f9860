import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type ProfileType, profileTypes } from '../../common/provisioning-profiles.js';
import {
  type CertificatePlatform,
  certificatePlatforms,
  type CertificateType,
  certificateTypes,
} from '../certificates/certificate.entity.js';

/** How near the expiry is: within 30 days, 7 days or a day, or past. */
const expiryNearness = ['30d', '7d', '1d', 'expired'] as const;
type ExpiryNearness = (typeof expiryNearness)[number];

/** A certificate that expires soon, or has expired. */
@ApiExample({ platform: 'ios', type: 'production' })
export class CertificateExpiringEventDto {
  @ApiId()
  appCertificateId!: string;

  /** @example 'Distribution' */
  name!: string;

  @ApiProperty({ enum: certificatePlatforms, enumName: 'CertificatePlatform' })
  platform!: CertificatePlatform;

  @ApiProperty({ enum: certificateTypes, enumName: 'CertificateType' })
  type!: CertificateType;

  @ApiTime()
  expiresAt!: string;

  /** The threshold that is crossed: days before the expiry, such as `7d`, or `expired`. */
  @ApiProperty({ enum: expiryNearness, enumName: 'ExpiryNearness' })
  threshold!: ExpiryNearness;
}

/** A provisioning profile that expires soon, or has expired. */
@ApiExample({ type: 'app-store' })
export class ProvisioningProfileExpiringEventDto {
  @ApiId()
  appProvisioningProfileId!: string;

  /** The certificate that it is used with. */
  @ApiId()
  appCertificateId!: string;

  /**
   * As Apple's page of profiles shows it.
   * @example 'Shop App Store'
   */
  name!: string;

  @ApiProperty({ enum: profileTypes, enumName: 'ProvisioningProfileType' })
  type!: ProfileType;

  /**
   * The bundle id that it is for, with `*` for any rest.
   * @example 'com.example.shop'
   */
  bundleId!: string;

  @ApiTime()
  expiresAt!: string;

  /** The threshold that is crossed: days before the expiry, such as `7d`, or `expired`. */
  @ApiProperty({ enum: expiryNearness, enumName: 'ExpiryNearness' })
  threshold!: ExpiryNearness;
}
