import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Equals, IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsEmptyOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { RefuseMisnamedLimits } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { IsAllowedRefs } from '../../common/validation/allowed-refs.decorator.js';
import { UseRestrictionsDto } from '../use-restrictions/use-restrictions.dto.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type Certificate,
  type CertificatePlatform,
  certificatePlatforms,
  type CertificateType,
  certificateTypes,
} from './certificate.entity.js';

/** A key that builds sign with, without the file and its passwords. */
@ApiExample({
  platform: 'web',
  type: 'production',
  allowedRefs: [],
  expiresAt: null,
  keyAlias: null,
  subject: null,
  sha256Fingerprint: null,
  teamId: null,
})
export class CertificateDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** @example 'Live updates 2026' */
  name!: string;

  /**
   * The name as it is compared.
   * @example 'live updates 2026'
   */
  nameLower!: string;

  /** The platform whose builds sign with it. */
  @ApiProperty({ enum: certificatePlatforms, enumName: 'Platform' })
  platform!: CertificatePlatform;

  @ApiProperty({ enum: certificateTypes, enumName: 'CertificateType' })
  type!: CertificateType;

  /** @example 'signing-key.pem' */
  fileName!: string;

  /** @example 'application/x-pem-file' */
  fileMimeType!: string;

  /** @example 1704 */
  @ApiProperty({ type: 'integer' })
  fileSizeInBytes!: number;

  /** Expiry; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** The key in an Android keystore; `null`: none. */
  keyAlias!: string | null;

  /**
   * Whom the certificate in a keystore is made out to; `null`: the file has none.
   * @example 'CN=Upload, O=Example'
   */
  subject!: string | null;

  /**
   * The SHA-256 fingerprint of that certificate, as Google Play, `keytool` and Keychain Access show it; `null`: the file has none.
   * @example 'A1:B2:C3'
   */
  sha256Fingerprint!: string | null;

  /**
   * The team of Apple that a certificate for iOS belongs to; `null`: it is for another platform.
   * @example 'AB12CD34EF'
   */
  teamId!: string | null;

  /** Patterns of the only branches and tags whose builds can use it; empty: all can. */
  allowedRefs!: string[];

  /** Whether using and changing it requires the permission `certificates:use`. */
  protected!: boolean;

  @ApiTime()
  createdAt!: string;

  /** Id of the user who created it; `null`: the user was deleted. */
  @ApiId()
  createdBy!: string | null;

  @ApiTime()
  updatedAt!: string;

  /** Id of the user who changed it last; `null`: the user was deleted. */
  @ApiId()
  updatedBy!: string | null;
}

/** The response for a certificate. */
export function toCertificateDto(certificate: Certificate): CertificateDto {
  return {
    id: certificate.id,
    appId: certificate.appId,
    name: certificate.name,
    nameLower: certificate.nameLower,
    platform: certificate.platform,
    type: certificate.type,
    fileName: certificate.fileName,
    fileMimeType: certificate.fileMimeType,
    fileSizeInBytes: certificate.fileSizeInBytes,
    expiresAt: certificate.expiresAt?.toISOString() ?? null,
    keyAlias: certificate.keyAlias,
    subject: certificate.subject,
    sha256Fingerprint: certificate.sha256Fingerprint,
    teamId: certificate.teamId,
    allowedRefs: certificate.allowedRefs,
    protected: certificate.protected,
    createdAt: certificate.createdAt.toISOString(),
    createdBy: certificate.createdByUserId,
    updatedAt: certificate.updatedAt.toISOString(),
    updatedBy: certificate.updatedByUserId,
  };
}

const MAX_PASSWORD_LENGTH = 1024;
const MAX_ALIAS_LENGTH = 255;

/** A new certificate. */
@RefuseMisnamedLimits(CertificateDto)
export class CreateCertificateDto {
  /**
   * The file, at most 256 KiB. For `web`, an RSA private key of 2,048 to 8,192 bits as PEM; for `android`, a keystore
   * (PKCS#12 or JKS); for `ios`, a `.p12` with one private key and its certificate of Apple. Certificates must not have
   * expired.
   */
  @ApiProperty({ type: 'string', format: 'binary' })
  @IsAbsentOr()
  @Equals(undefined, { message: '$property must be sent as a file, with a file name.' })
  file?: unknown;

  /**
   * Unique for the platform and the type, ignoring case.
   * @example 'Live updates 2026'
   */
  @IsName()
  name!: string;

  /**
   * The platform whose builds sign with it. By default the one of the app, or `web` if it has several.
   */
  @IsEmptyOr()
  @IsOneOf(certificatePlatforms, 'Platform')
  platform?: CertificatePlatform;

  /** What it signs, if the file does not say it; by default `production`. */
  @IsEmptyOr()
  @IsOneOf(certificateTypes, 'CertificateType')
  type?: CertificateType;

  /** Opens the file; absent if it is not encrypted, or a `.p12` for iOS has an empty one. Keystores for Android need it. */
  @IsEmptyOr()
  @IsText(MAX_PASSWORD_LENGTH)
  password?: string;

  /** The key in an Android keystore; absent if it has only one. */
  @IsEmptyOr()
  @IsText(MAX_ALIAS_LENGTH)
  keyAlias?: string;

  /** Opens the key in an Android keystore; absent if `password` does. */
  @IsEmptyOr()
  @IsText(MAX_PASSWORD_LENGTH)
  keyPassword?: string;

  /**
   * Only builds from branches and tags that match one of these patterns can use it: one field for each pattern, or an empty
   * one for none. Patterns mean branches unless they begin with `refs/`. Setting it requires the permission
   * `certificates:use`.
   */
  @Transform(({ value }: { value: unknown }) => toList(value))
  @IsAbsentOr()
  @IsAllowedRefs()
  allowedRefs?: string[];

  /** Whether using and changing it requires the permission `certificates:use`. Setting it requires it, too. */
  @IsEmptyOr()
  @Transform(({ value }: { value: unknown }) => toBoolean(value))
  @IsBoolean({ message: '$property must be true or false.' })
  protected?: boolean;
}

/** A form has one field for each item, and an empty one for an empty list. */
function toList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value === '' ? [] : [value];
}

function toBoolean(value: unknown): unknown {
  if (value === 'true') return true;
  return value === 'false' ? false : value;
}

/** A CI variable that is not set is empty, and forms cannot send `null`. */
function EmptyAsNull(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (value === '' ? null : value));
}

/** Changes to a certificate; absent fields stay as they are, `null` clears. */
@RefuseMisnamedLimits(CertificateDto)
@ApiExample({ name: 'Live updates 2026' })
export class UpdateCertificateDto extends UseRestrictionsDto {
  /**
   * Unique for the platform and the type, ignoring case.
   * @example 'Live updates 2026'
   */
  @IsAbsentOr()
  @IsName()
  name?: string;

  /** What it signs; has no effect if the file says it. */
  @IsAbsentOr()
  @IsOneOf(certificateTypes, 'CertificateType')
  type?: CertificateType;

  /** Opens the file, which is tried; `null` or empty: it is not encrypted. */
  @EmptyAsNull()
  @IsNullable()
  @IsText(MAX_PASSWORD_LENGTH)
  password?: string | null;

  /** The key in an Android keystore, which is tried; `null` or empty: the only one. */
  @EmptyAsNull()
  @IsNullable()
  @IsText(MAX_ALIAS_LENGTH)
  keyAlias?: string | null;

  /** Opens the key in an Android keystore, which is tried; `null` or empty: `password` does. */
  @EmptyAsNull()
  @IsNullable()
  @IsText(MAX_PASSWORD_LENGTH)
  keyPassword?: string | null;
}

/** Which certificates to list. */
export class ListCertificatesQuery extends PageQuery {
  /** Only certificates with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only certificates for this platform. */
  @IsEmptyOr()
  @IsOneOf(certificatePlatforms, 'Platform')
  platform?: CertificatePlatform;

  /** Only certificates of this type. */
  @IsEmptyOr()
  @IsOneOf(certificateTypes, 'CertificateType')
  type?: CertificateType;

  /** Only certificates that expire before this time, or have expired: not those that never do. */
  @IsEmptyOr()
  @IsDateInput()
  expiresBefore?: Date;

  /** Only certificates whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** Which certificate to delete. */
export class DeleteCertificateQuery {
  /**
   * The name of the certificate, ignoring case.
   * @example 'Live updates 2026'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;

  /** Its platform, if certificates of several have the name. */
  @IsEmptyOr()
  @IsOneOf(certificatePlatforms, 'Platform')
  platform?: CertificatePlatform;

  /** Its type, if certificates of both have the name. */
  @IsEmptyOr()
  @IsOneOf(certificateTypes, 'CertificateType')
  type?: CertificateType;
}
