import { IsNotEmpty, IsString } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type CertificatePlatform,
  certificatePlatforms,
  type CertificateType,
  certificateTypes,
} from './certificate.entity.js';

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
