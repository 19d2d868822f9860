import { Injectable } from '@nestjs/common';
import type { Lease } from '../../jobs/job-leases/lease.js';
import type { StagedBlob } from '../../storage/blobs/blobs.service.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import type { Build } from '../builds/build.entity.js';
import { BuildUses } from './build-uses.service.js';
import { signBundle } from './sign-bundle.js';

/** Signs the zips of web builds: their keys never leave the server. */
@Injectable()
export class BundleSigner {
  constructor(
    private readonly settings: BuildSettingsService,
    private readonly uses: BuildUses,
  ) {}

  /**
   * The audit log records that the certificate was read. The job fails when the build may not use it any more. Call it
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
