import { Injectable } from '@nestjs/common';
import { JobLogArchive } from '../../jobs/job-logs/job-log-archive.service.js';
import { ArtifactDetailsService } from '../artifact-details/artifact-details.service.js';
import { cleanText } from '../artifact-readers/clean-text.js';
import type { BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { mainOf } from '../build-artifacts/main-artifact.js';
import type { Build } from '../builds/build.entity.js';
import { BuildsService } from '../builds/builds.service.js';

/** What the API has read of a build's files, which counts more than what its runner reports. */
@Injectable()
export class ReadFindings {
  constructor(
    private readonly builds: BuildsService,
    private readonly details: ArtifactDetailsService,
    private readonly archive: JobLogArchive,
  ) {}

  /**
   * Gives a build the package name, version and name of its main artifact. The log of the job says what its runner reported
   * otherwise. Call it in the transaction that publishes the artifacts and has ended the job.
   */
  async apply(build: Build, artifacts: readonly BuildArtifact[]): Promise<void> {
    const main = mainOf(artifacts);
    const details = main === undefined ? null : await this.details.findOne(main.id);
    if (main === undefined || details === null) return;
    const { packageName, versionName, versionCode, label } = details;
    const read = { packageName, packageVersion: versionName ?? versionCode };
    const difference = describeDifference(build, read);
    if (difference !== null && build.jobId !== null) {
      await this.archive.addNote(build.jobId, `${main.fileName ?? main.type} has ${difference}.`);
    }
    await this.builds.setFindings(build.id, { ...read, displayName: label ?? build.displayName });
  }
}

type Findings = Pick<Build, 'packageName' | 'packageVersion'>;

/** @returns such as `the version 2.0, and the runner reported 1.0`; `null`: nothing differs */
function describeDifference(reported: Findings, read: Findings): string | null {
  const describe = (field: keyof Findings, name: string): string[] => {
    if (reported[field] === null || reported[field] === read[field]) return [];
    const found = read[field] === null ? `no ${name}` : `the ${name} ${read[field]}`;
    return [`${found}, and the runner reported ${cleanText(reported[field]) ?? 'nothing'}`];
  };
  const all = [...describe('packageName', 'package name'), ...describe('packageVersion', 'version')];
  return all.length === 0 ? null : all.join('; ');
}
