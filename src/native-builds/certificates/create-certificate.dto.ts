import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Equals, IsBoolean } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsEmptyOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { RefuseMisnamedLimits } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import { IsAllowedRefs } from '../use-restrictions/allowed-refs.decorator.js';
import { UseRestrictionsDto } from '../use-restrictions/use-restrictions.dto.js';
import { CertificateDto } from './certificate.dto.js';
import {
  type CertificatePlatform,
  certificatePlatforms,
  type CertificateType,
  certificateTypes,
} from './certificate.entity.js';

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

  /** Opens the file, which is tried; `null`: it is not encrypted. */
  @IsNullable()
  @IsText(MAX_PASSWORD_LENGTH)
  password?: string | null;

  /** The key in an Android keystore, which is tried; `null`: the only one. */
  @IsNullable()
  @IsText(MAX_ALIAS_LENGTH)
  keyAlias?: string | null;

  /** Opens the key in an Android keystore, which is tried; `null`: `password` does. */
  @IsNullable()
  @IsText(MAX_PASSWORD_LENGTH)
  keyPassword?: string | null;
}
