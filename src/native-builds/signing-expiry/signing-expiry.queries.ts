import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { type Expiring, expiryThresholds, newlyExpiring } from '../../events/expiry.js';
import type { ProfileType } from '../../common/provisioning-profiles.js';
import type { Certificate } from '../certificates/certificate.entity.js';

/** Days before the expiry; 0: when it has expired. */
export const SIGNING_THRESHOLDS = expiryThresholds(30, 7, 1, 0);

export type ExpiringCertificate = Expiring & Pick<Certificate, 'appId' | 'name' | 'platform' | 'type'>;

/** A provisioning profile that expires. */
export interface ExpiringProfile extends Expiring {
  readonly appId: string;
  readonly certificateId: string;
  readonly name: string;
  readonly type: ProfileType;
  readonly bundleId: string;
}

/** SQL of what expires that builds sign with. */
@Injectable()
export class SigningExpiryQueries {
  constructor(private readonly sql: Sql) {}

  /** @param kind of the state @param size most of them */
  certificates(kind: string, size: number): Promise<ExpiringCertificate[]> {
    const rows = `
      SELECT certificate.id, certificate.app_id AS "appId", app.organization_id AS "organizationId", certificate.name,
             platform, certificate.type, expires_at AS "expiresAt"
        FROM certificates AS certificate JOIN apps AS app ON app.id = certificate.app_id`;
    return this.sql.query(newlyExpiring(rows, SIGNING_THRESHOLDS), [kind, size]);
  }

  /** Those that are used with a certificate: others are deleted soon. @param kind of the state @param size most of them */
  profiles(kind: string, size: number): Promise<ExpiringProfile[]> {
    const rows = `
      SELECT profile.id, profile.app_id AS "appId", app.organization_id AS "organizationId", profile.name,
             certificate_id AS "certificateId", profile.type, bundle_id AS "bundleId", expires_at AS "expiresAt"
        FROM provisioning_profiles AS profile JOIN apps AS app ON app.id = profile.app_id
       WHERE certificate_id IS NOT NULL`;
    return this.sql.query(newlyExpiring(rows, SIGNING_THRESHOLDS), [kind, size]);
  }
}
