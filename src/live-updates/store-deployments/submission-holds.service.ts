import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SubmissionsService } from '../../app-submissions/submissions/submissions.service.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { ArtifactHolds } from '../../native-builds/build-retention/artifact-holds.js';

/** Keeps the artifacts of builds that are being submitted: the app, and its symbols. */
@Injectable()
export class SubmissionHolds implements OnModuleInit {
  constructor(
    private readonly submissions: SubmissionsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly holds: ArtifactHolds,
  ) {}

  onModuleInit(): void {
    this.holds.register((artifactIds) => this.find(artifactIds));
  }

  private async find(artifactIds: readonly string[]): Promise<string[]> {
    const asked = await this.artifacts.getMany(artifactIds);
    const siblings = await this.artifacts.listAll([...new Set(asked.map(({ buildId }) => buildId))]);
    const open = await this.submissions.openOf(siblings.map(({ id }) => id));
    const builds = new Set(siblings.filter(({ id }) => open.has(id)).map(({ buildId }) => buildId));
    return asked.filter(({ buildId }) => builds.has(buildId)).map(({ id }) => id);
  }
}
