import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type ProfileType, profileTypes } from '../../common/provisioning-profiles.js';
import type { ProvisioningProfile } from './provisioning-profile.entity.js';

/** A provisioning profile of Apple, without its file. */
export class ProvisioningProfileDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** The certificate that it is used with; `null`: none yet. Profiles without one are deleted after a day. */
  @ApiId()
  appCertificateId!: string | null;

  /** @example 'Shop_Ad_Hoc.mobileprovision' */
  fileName!: string;

  /** @example 'application/octet-stream' */
  fileMimeType!: string;

  /** @example 12288 */
  @ApiProperty({ type: 'integer' })
  fileSizeInBytes!: number;

  /**
   * The identifier that Apple gave it.
   * @example '3f2c8a52-54c0-4ec8-8b4e-0f6d3c3a6a11'
   */
  uuid!: string;

  /**
   * As developer.apple.com shows it.
   * @example 'Shop ad hoc'
   */
  name!: string;

  /** The type of the builds that it signs. */
  @ApiProperty({ enum: profileTypes, enumName: 'ProvisioningProfileType' })
  type!: ProfileType;

  /**
   * The team of Apple.
   * @example 'AB12CD34EF'
   */
  teamId!: string;

  /**
   * The bundle id that it is for, with `*` for any rest.
   * @example 'com.example.shop'
   */
  bundleId!: string;

  /** How many devices it names; `null`: none, because it is for the App Store or for all. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 0 })
  deviceCount!: number | null;

  @ApiTime()
  expiresAt!: string;

  /**
   * The SHA-256 fingerprints of the certificates that it allows, as `sha256Fingerprint` of certificates.
   * @example ['A1:B2:C3']
   */
  certificateFingerprints!: string[];

  @ApiTime()
  createdAt!: string;

  /** Id of the user who uploaded it; `null`: the user was deleted. */
  @ApiId()
  createdBy!: string | null;
}

/** The response for a provisioning profile. */
export function toProvisioningProfileDto(profile: ProvisioningProfile): ProvisioningProfileDto {
  return {
    id: profile.id,
    appId: profile.appId,
    appCertificateId: profile.certificateId,
    fileName: profile.fileName,
    fileMimeType: profile.fileMimeType,
    fileSizeInBytes: profile.fileSizeInBytes,
    uuid: profile.uuid,
    name: profile.name,
    type: profile.type,
    teamId: profile.teamId,
    bundleId: profile.bundleId,
    deviceCount: profile.deviceCount,
    expiresAt: profile.expiresAt.toISOString(),
    certificateFingerprints: profile.certificateFingerprints,
    createdAt: profile.createdAt.toISOString(),
    createdBy: profile.createdByUserId,
  };
}
