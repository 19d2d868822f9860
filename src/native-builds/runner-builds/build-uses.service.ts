import { Injectable } from '@nestjs/common';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import { RepositoryRefsService } from '../../apps/repository/repository-refs.service.js';
import { ForbiddenError, NotFoundError } from '../../common/errors/app-error.js';
import { JobLeasesService } from '../../jobs/runner-jobs/job-leases.service.js';
import type { Lease } from '../../jobs/job-leases/lease.js';
import { JobEndings } from '../../jobs/jobs/job-endings.service.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import type { BuildUse } from '../build-settings/build-settings.js';
import { AdHocVariables } from '../builds/ad-hoc-variables.service.js';
import type { Build } from '../builds/build.entity.js';
import { BuildsService } from '../builds/builds.service.js';
import { automationOf } from '../use-restrictions/use-restrictions.service.js';

type Used = Pick<BuildUse, 'environmentId' | 'certificateId'>;

/** Checks that builds may still use what they asked for when they were created. */
@Injectable()
export class BuildUses {
  constructor(
    private readonly builds: BuildsService,
    private readonly leases: JobLeasesService,
    private readonly settings: BuildSettingsService,
    private readonly repositories: RepositoryRefsService,
    private readonly adHoc: AdHocVariables,
    private readonly endings: JobEndings,
    private readonly access: AppAccessService,
  ) {}

  /**
   * Before a runner gets all that its build uses.
   *
   * @throws LeaseLostError as `require` does
   */
  requireAll(lease: Lease): Promise<void> {
    return this.require(lease, async (build) => {
      const lost =
        (await this.findLostRights(build)) ??
        (await this.findLostUse(build, build)) ??
        (await this.findMissingNumber(build));
      if (lost !== null || build.buildSourceId !== null) return lost;
      return this.repositories.findLostUse(build.appId, build.createdBy);
    });
  }

  /**
   * Before the server signs with the certificate of a build.
   *
   * @throws LeaseLostError as `require` does
   */
  requireCertificate(lease: Lease): Promise<void> {
    return this.require(lease, (build) =>
      this.findLostUse(build, { environmentId: null, certificateId: build.certificateId }),
    );
  }

  /**
   * Ends the job as `failed` when there is a reason. The runner has done nothing wrong: for it, the job is gone. Call it
   * outside of transactions, which would undo the end.
   *
   * @throws LeaseLostError
   */
  private async require(lease: Lease, find: (build: Build) => Promise<string | null>): Promise<void> {
    const reason = await this.leases.hold(lease, async (job) => {
      const lost = await find(await this.builds.getByJob(lease.appId, lease.jobId));
      if (lost !== null) {
        const ending = { status: 'failed', statusMessage: lost, note: lost } as const;
        await this.endings.end(job.id, ['pending', 'in_progress'], ending);
      }
      return lost;
    });
    if (reason !== null) throw await this.leases.lost(lease.jobId);
  }

  /** No person has asked for the build of an automation: it needs the rights of the automation when it runs, too. */
  private async findLostRights(build: Build): Promise<string | null> {
    const automation = automationOf(build);
    if (automation === null) return null;
    if (build.createdBy === null) return 'The user as whom the automation acts was deleted.';
    try {
      await this.access.requireMember(build.createdBy, build.appId, 'builds:write', automation.scope);
      return null;
    } catch (error) {
      if (!(error instanceof NotFoundError) && !(error instanceof ForbiddenError)) throw error;
      return 'The user as whom the automation acts may not build the app any more.';
    }
  }

  /** The configuration was changed since the build was started. */
  private async findMissingNumber(build: Build): Promise<string | null> {
    const configured = await this.settings.storeNumbered(build);
    if (configured === null) return null;
    const packageName = configured.packageName ?? build.storePackageName;
    if (build.storeBuildNumber !== null && packageName === build.storePackageName) return null;
    return 'The configuration has changed since the build was started, so the store has not given the build number for it. Start the build again.';
  }

  private findLostUse(build: Build, { environmentId, certificateId }: Used): Promise<string | null> {
    return this.settings.findLostUse({
      environmentId,
      certificateId,
      appId: build.appId,
      creatorId: build.createdBy,
      origin: {
        ref: build.gitRefFullName,
        isUpload: build.gitRef === null,
        hasOwnVariables: Object.keys(this.adHoc.of(build)).length > 0,
        automation: automationOf(build),
      },
    });
  }
}
