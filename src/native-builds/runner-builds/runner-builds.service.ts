import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { invalidField } from '../../common/errors/app-error.js';
import { findOrThrow } from '../../database/rows.js';
import { JobLeasesService } from '../../jobs/job-leases/job-leases.service.js';
import type { Lease } from '../../jobs/job-leases/lease.js';
import { Build } from '../builds/build.entity.js';
import type { UpdateRunnerBuildDto } from './update-runner-build.dto.js';

/** What runners report about their builds. */
@Injectable()
export class RunnerBuildsService {
  constructor(
    @InjectRepository(Build) private readonly builds: Repository<Build>,
    private readonly leases: JobLeasesService,
  ) {}

  /**
   * @returns the id of the build
   * @throws GoneError when the lease is lost
   * @throws InvalidRequestError when the runner has built another commit than the one that was resolved
   */
  update(lease: Lease, changes: UpdateRunnerBuildDto): Promise<string> {
    return this.leases.hold(lease, async () => {
      const build = await findOrThrow(this.builds, { appId: lease.appId, jobId: lease.jobId });
      const { gitCommitSha, gitCommitMessage, packageName, packageVersion, displayName } = changes;
      const isOther = gitCommitSha !== undefined && gitCommitSha !== build.gitCommitSha;
      if (isOther && build.buildSourceId === null) {
        throw invalidField('gitCommitSha', 'gitCommitSha is another commit than the one to build.');
      }
      const values = { gitCommitSha, gitCommitMessage, packageName, packageVersion, displayName };
      if (Object.values(values).some((value) => value !== undefined)) {
        await this.builds.update({ id: build.id }, values);
      }
      return build.id;
    });
  }
}
