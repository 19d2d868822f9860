import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ConflictError, errorOf } from '../../common/errors/app-error.js';
import { type JobKind, JobKinds } from '../../jobs/job-kinds/job-kinds.js';
import type { Job } from '../../jobs/jobs/job.entity.js';
import type { BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import type { Build } from '../builds/build.entity.js';
import { BuildEvents } from '../builds/build-events.service.js';
import { BuildDeployments } from '../builds/build-deployments.js';
import { BuildsService } from '../builds/builds.service.js';
import { BuildPayloadService } from './build-payload.service.js';
import { ReadFindings } from './read-findings.service.js';
import { WebBundles } from './web-bundles.js';

/** What a job of the kind `build` does besides running: publishes its artifacts, or removes them. */
@Injectable()
export class BuildJobKind implements JobKind, OnModuleInit {
  constructor(
    private readonly builds: BuildsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly payloads: BuildPayloadService,
    private readonly bundles: WebBundles,
    private readonly findings: ReadFindings,
    private readonly deployments: BuildDeployments,
    private readonly events: BuildEvents,
    private readonly kinds: JobKinds,
  ) {}

  onModuleInit(): void {
    this.kinds.register('build', this);
  }

  async started(job: Job): Promise<void> {
    const build = await this.find(job);
    if (build !== null) await this.events.started(build, job);
  }

  /** @throws ConflictError when a job has succeeded whose artifacts are not complete */
  async ended(job: Job): Promise<void> {
    const build = await this.find(job);
    // It was deleted with its app.
    if (build === null) return;
    if (job.status === 'succeeded') {
      await this.publish(build);
      await this.events.finished(job);
      await this.deployments.start(build.id, job.organizationId);
    } else {
      // Only what is published is kept of a build. The bundle of a web build goes with its artifact.
      await this.artifacts.discard(build.id);
      await this.events.finished(job);
      await this.deployments.abandon(build.id);
    }
  }

  async requeued(job: Job): Promise<void> {
    const build = await this.find(job);
    if (build !== null) await this.artifacts.discard(build.id);
  }

  async masks(job: Job): Promise<readonly string[]> {
    const build = await this.find(job);
    return build === null ? [] : this.payloads.masksOf(build);
  }

  private async publish(build: Build): Promise<void> {
    const artifacts = await this.artifacts.lockAll(build.id);
    // Symbols and mappings alone are no app.
    if (artifacts.every(({ type }) => type === 'zip' && build.platform !== 'web')) {
      throw errorOf('artifact_missing');
    }
    const incomplete = artifacts.find(({ blobId }) => blobId === null);
    if (incomplete !== undefined) throw notComplete(incomplete);
    for (const artifact of artifacts) {
      if (build.platform !== 'web') await this.artifacts.markReady(artifact.id, null);
      else if (!(await this.bundles.publish(artifact.id))) throw notComplete(artifact);
    }
    await this.findings.apply(build, artifacts);
  }

  private find(job: Job): Promise<Build | null> {
    return this.builds.findByJob(job.appId, job.id);
  }
}

function notComplete({ fileName, type }: BuildArtifact): ConflictError {
  return new ConflictError(
    `The artifact ${fileName ?? type} is not complete: complete its upload before the job succeeds.`,
    'artifact_missing',
  );
}
