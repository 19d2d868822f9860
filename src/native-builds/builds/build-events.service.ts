import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EventDefinition } from '../../events/event-definition.js';
import { EventsService } from '../../events/events.service.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { mainOf } from '../build-artifacts/main-artifact.js';
import type { Build } from './build.entity.js';
import { BuildsPresenter } from './builds.presenter.js';
import { BuildsService } from './builds.service.js';
import {
  type BuildFinishedEventDto,
  toBuildFinishedEventDto,
  toBuildStartedEventDto,
} from './build-event.dto.js';
import { appBuildCreated, appBuildFinished, appBuildStarted, appImportFinished } from './builds.events.js';

/** Records what happens to builds, in the transactions of these changes. */
@Injectable()
export class BuildEvents implements OnModuleInit {
  constructor(
    private readonly builds: BuildsService,
    private readonly presenter: BuildsPresenter,
    private readonly artifacts: BuildArtifactsService,
    private readonly events: EventsService,
  ) {}

  onModuleInit(): void {
    this.builds.created.register((build) => this.recordCreated(build));
  }

  /** A runner has started a build. @param job as it is now */
  started(build: Build, job: Job): Promise<void> {
    return this.events.record(appBuildStarted, {
      appId: build.appId,
      objectId: build.id,
      data: toBuildStartedEventDto(build, job),
    });
  }

  /** The job of a build has ended, and what belongs to it was written. */
  finished(job: Job): Promise<void> {
    return this.recordEnd(appBuildFinished, job);
  }

  /** As `finished`, of an import. */
  importFinished(job: Job): Promise<void> {
    return this.recordEnd(appImportFinished, job);
  }

  private async recordCreated(build: Build): Promise<void> {
    const data = await this.presenter.presentOne(build);
    await this.events.record(appBuildCreated, { appId: build.appId, objectId: build.id, data });
  }

  private async recordEnd(definition: EventDefinition<BuildFinishedEventDto>, job: Job): Promise<void> {
    // Its end has written what was read from the file.
    const build = await this.builds.findByJob(job.appId, job.id);
    if (build === null) return;
    const artifactId = mainOf(await this.artifacts.listAll([build.id]))?.id ?? null;
    const data = toBuildFinishedEventDto(build, job, artifactId);
    await this.events.record(definition, { appId: build.appId, objectId: build.id, data });
  }
}
