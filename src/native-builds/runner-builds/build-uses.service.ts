import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { findOrThrow } from '../../database/rows.js';
import { JobLeasesService } from '../../jobs/job-leases/job-leases.service.js';
import type { Lease } from '../../jobs/job-leases/lease.js';
import { JobEndings } from '../../jobs/jobs/job-endings.service.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import type { BuildUse } from '../build-settings/build-settings.js';
import { AdHocVariables } from '../ad-hoc-variables/ad-hoc-variables.service.js';
import { Build } from '../builds/build.entity.js';

type Used = Pick<BuildUse, 'environmentId' | 'certificateId'>;

/** Checks that builds may still use what they asked for when they were created. */
@Injectable()
export class BuildUses {
  constructor(
    @InjectRepository(Build) private readonly builds: Repository<Build>,
    private readonly leases: JobLeasesService,
    private readonly settings: BuildSettingsService,
    private readonly adHoc: AdHocVariables,
    private readonly endings: JobEndings,
  ) {}

  /**
   * Ends the job as `failed` when its build may not use its environment or its certificate any more. The runner has done
   * nothing wrong: for it, the job is gone. Call it outside of transactions, which would undo the end.
   *
   * @param usedBy what the build is about to get
   * @throws LeaseLostError
   */
  async require(lease: Lease, usedBy: (build: Build) => Used): Promise<void> {
    const lost = await this.leases.hold(lease, async (job) => {
      const build = await findOrThrow(this.builds, { appId: lease.appId, jobId: lease.jobId });
      const reason = await this.settings.findLostUse({
        ...usedBy(build),
        appId: build.appId,
        creatorId: build.createdBy,
        ref: build.gitRefFullName,
        hasOwnVariables: Object.keys(this.adHoc.of(build)).length > 0,
      });
      if (reason === null) return false;
      const ending = { status: 'failed', statusMessage: reason, note: reason } as const;
      await this.endings.end(job.id, ['pending', 'in_progress'], ending);
      return true;
    });
    if (lost) throw await this.leases.lost(lease.jobId);
  }
}
