import { constants, createPrivateKey, privateEncrypt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Lease } from '../../jobs/job-leases/lease.js';
import type { StagedBlob } from '../../storage/blobs/blobs.service.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import type { Build } from '../builds/build.entity.js';
import { BuildUses } from './build-uses.service.js';

/** What a signature says about a SHA-256, in ASN.1: "this is a SHA-256", followed by its 32 bytes (RFC 8017, 9.2). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** Signs the zips of web builds: their keys never leave the server. */
@Injectable()
export class BundleSigner {
  constructor(
    private readonly settings: BuildSettingsService,
    private readonly uses: BuildUses,
  ) {}

  /**
   * The audit log records that the certificate was read. The job fails when the build may no longer use it. Call it
   * outside of transactions.
   *
   * @returns `null`: the build has no certificate, or its runner signs
   * @throws GoneError when the lease is lost, also because the job has failed
   */
  async sign(lease: Lease, build: Build, { sha256 }: StagedBlob): Promise<string | null> {
    const { appId, platform, certificateId } = build;
    if (platform !== 'web' || certificateId === null) return null;
    await this.uses.requireCertificate(lease);
    const app = { id: appId, organizationId: lease.organizationId };
    return signBundle(await this.settings.signingKeyOf(app, certificateId), sha256);
  }
}

/**
 * Signs a file as the plugins verify it: RSA (PKCS#1 v1.5) over its SHA-256. The server has computed that hash itself, so
 * no byte of the file is read again.
 *
 * @param signingKey RSA, as PKCS#8 in DER: without a password, which could take long to open
 * @param sha256 of the file, in hexadecimal digits
 * @returns Base64
 */
export function signBundle(signingKey: Buffer, sha256: string): string {
  const key = createPrivateKey({ key: signingKey, format: 'der', type: 'pkcs8' });
  const content = Buffer.concat([DIGEST_INFO, Buffer.from(sha256, 'hex')]);
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, content).toString('base64');
}
