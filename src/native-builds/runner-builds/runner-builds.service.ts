import { Injectable } from '@nestjs/common';
import { invalidField } from '../../common/errors/app-error.js';
import { JobLeasesService } from '../../jobs/runner-jobs/job-leases.service.js';
import type { Lease } from '../../jobs/job-leases/lease.js';
import { BuildsService } from '../builds/builds.service.js';
import type { UpdateRunnerBuildDto } from './runner-artifact.dto.js';

/** What runners report about their builds. */
@Injectable()
export class RunnerBuildsService {
  constructor(
    private readonly builds: BuildsService,
    private readonly leases: JobLeasesService,
  ) {}

  /**
   * @returns the id of the build
   * @throws GoneError when the lease is lost
   * @throws InvalidRequestError when the runner has built another commit than the one that was resolved
   */
  update(lease: Lease, changes: UpdateRunnerBuildDto): Promise<string> {
    return this.leases.hold(lease, async () => {
      const build = await this.builds.getByJob(lease.appId, lease.jobId);
      const { gitCommitSha, gitCommitMessage, packageName, packageVersion, displayName } = changes;
      const isOther = gitCommitSha !== undefined && gitCommitSha !== build.gitCommitSha;
      if (isOther && build.buildSourceId === null) {
        throw invalidField('gitCommitSha', 'gitCommitSha is another commit than the one to build.');
      }
      const findings = { gitCommitSha, gitCommitMessage, packageName, packageVersion, displayName };
      await this.builds.setFindings(build.id, findings);
      return build.id;
    });
  }
}
