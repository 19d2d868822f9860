import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type ProfileType, profileTypes } from '../../common/provisioning-profiles.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsAbsentOr, IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { IdList } from '../../common/validation/id-list.decorator.js';
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

/** Most profiles that one request links. */
const MAX_IDS = 100;

/** A new provisioning profile. */
export class CreateProvisioningProfileDto {
  /** The `.mobileprovision` as developer.apple.com offers it, at most 1 MiB: for iOS, and not expired. */
  @ApiProperty({ type: 'string', format: 'binary' })
  @IsAbsentOr()
  @Equals(undefined, { message: '$property must be sent as a file, with a file name.' })
  file?: unknown;

  /** The certificate for iOS that it is used with. It can be linked later, within a day. */
  @IsEmptyOr()
  @IsId()
  certificateId?: string;

  /** The same as `certificateId`. */
  @IsEmptyOr()
  @IsId()
  appCertificateId?: string;
}

/** Which provisioning profiles to link. */
export class LinkProvisioningProfilesQuery {
  /** Ids of at most 100 provisioning profiles of the app, separated by commas. */
  @IdList(MAX_IDS)
  ids!: string[];
}

/** The certificate of provisioning profiles. */
@ApiExample({ appCertificateId: '0197d8f4-9a4c-7c38-9c2f-3d8b6f4a1e27' })
export class LinkProvisioningProfilesDto {
  /** The certificate for iOS to use them with. */
  @IsId()
  appCertificateId!: string;
}

/** Which provisioning profiles to list. */
export class ListProvisioningProfilesQuery extends PageQuery {
  /** Only profiles of this certificate. */
  @IsEmptyOr()
  @IsId()
  appCertificateId?: string;

  /** The same as `appCertificateId`. */
  @IsEmptyOr()
  @IsId()
  certificateId?: string;

  /** Only profiles of this type. */
  @IsEmptyOr()
  @IsOneOf(profileTypes, 'ProvisioningProfileType')
  type?: ProfileType;

  /** Only profiles that expire before this time, or have expired. */
  @IsEmptyOr()
  @IsDateInput()
  expiresBefore?: Date;

  /** Only profiles whose id, name, bundle id or UUID contains this text, ignoring case. */
  @QueryText()
  query?: string;
}
