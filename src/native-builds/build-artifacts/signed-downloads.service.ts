import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { deriveKey } from '../../common/secrets/derive-key.js';
import { Config, encryptionKeyOf } from '../../config/config.js';
import type { SignedAddressQuery } from './signed-address-query.dto.js';

/** Lifetime of a signed address, in milliseconds. */
export const SIGNED_FOR = 15 * 60 * 1000;

export interface ArtifactPlace {
  readonly appId: string;
  readonly buildId: string;
  readonly id: string;
}

/** Addresses that download artifacts without a token for a short time. */
@Injectable()
export class SignedDownloads {
  private readonly key: Buffer;

  constructor(config: Config) {
    this.key = deriveKey(encryptionKeyOf(config), 'downloads');
  }

  /**
   * @param origin of this server
   * @param fileName of the download; by default the artifact's own
   */
  sign(
    { appId, buildId, id }: ArtifactPlace,
    origin: string,
    fileName?: string,
  ): { url: string; expiresAt: number } {
    const expiresAt = databaseNow(SIGNED_FOR).getTime();
    const url = new URL(`/v1/apps/${appId}/builds/${buildId}/artifacts/${id}/download`, origin);
    url.searchParams.set('expiresAt', String(expiresAt));
    url.searchParams.set('signature', signDownload(this.key, id, expiresAt));
    if (fileName !== undefined) url.searchParams.set('fileName', fileName);
    return { url: url.href, expiresAt };
  }

  /** Whether these parameters open the artifact now. */
  isValid(artifactId: string, { expiresAt, signature }: SignedAddressQuery): boolean {
    if (expiresAt === undefined || signature === undefined) return false;
    return isDownloadSigned(this.key, artifactId, expiresAt, signature, databaseNow().getTime());
  }
}

/**
 * Signs a download, which then needs no token until it expires: HMAC-SHA-256 over the artifact and the time.
 *
 * @param key secret of the server
 * @param artifactId the artifact that may be downloaded
 * @param expiresAt in Unix milliseconds
 * @returns 64 hexadecimal digits
 */
export function signDownload(key: Buffer, artifactId: string, expiresAt: number): string {
  return createHmac('sha256', key).update(`artifact-download:${artifactId}:${expiresAt}`).digest('hex');
}

/** Whether the signature was made for this artifact and time, and the time has not passed. */
export function isDownloadSigned(
  key: Buffer,
  artifactId: string,
  expiresAt: number,
  signature: string,
  now: number,
): boolean {
  const expected = Buffer.from(signDownload(key, artifactId, expiresAt));
  const actual = Buffer.from(signature);
  return now < expiresAt && actual.length === expected.length && timingSafeEqual(actual, expected);
}
