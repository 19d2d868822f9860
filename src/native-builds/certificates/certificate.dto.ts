import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
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
