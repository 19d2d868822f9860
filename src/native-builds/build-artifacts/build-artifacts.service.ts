import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type DeepPartial, In, type Repository } from 'typeorm';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { findOrThrow, findPage, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { Build } from '../builds/build.entity.js';
import { BuildArtifact } from './build-artifact.entity.js';

@Injectable()
export class BuildArtifactsService {
  constructor(@InjectRepository(BuildArtifact) private readonly artifacts: Repository<BuildArtifact>) {}

  /** The artifacts of a build, newest first. */
  async list(appId: string, buildId: string, query: PageQuery): Promise<Page<BuildArtifact>> {
    await this.requireBuild(appId, buildId);
    return findPage(this.artifacts, { buildId }, query, { createdAt: 'DESC' });
  }

  /** The artifacts of several builds, oldest first. */
  ofBuilds(buildIds: readonly string[]): Promise<BuildArtifact[]> {
    return this.artifacts.find({
      where: { buildId: In([...buildIds]) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /**
   * An artifact that can be downloaded.
   *
   * @throws NotFoundError when it does not exist in this build of this app, is pending, or is hosted elsewhere
   */
  async getReady(appId: string, buildId: string, id: string): Promise<BuildArtifact & { blobId: string }> {
    await this.requireBuild(appId, buildId);
    const artifact = await findOrThrow(this.artifacts, { buildId, id, status: 'ready' });
    if (artifact.blobId === null) throw new NotFoundError('Build artifact');
    return { ...artifact, blobId: artifact.blobId };
  }

  create(values: DeepPartial<BuildArtifact>): Promise<BuildArtifact> {
    return insertOrThrow(this.artifacts, values);
  }

  /** @throws NotFoundError */
  get(id: string): Promise<BuildArtifact> {
    return findOrThrow(this.artifacts, { id });
  }

  /** Reads an artifact and keeps everyone else from changing it until the transaction ends. @throws NotFoundError */
  lock(id: string): Promise<BuildArtifact> {
    return this.find(id, 'pessimistic_write');
  }

  /** As `lock`, but others may hold it the same way at once: for adding to an artifact. @throws NotFoundError */
  lockShared(id: string): Promise<BuildArtifact> {
    return this.find(id, 'pessimistic_read');
  }

  /** Makes an artifact available. @param file the bytes it consists of; `null` when they are hosted elsewhere */
  async markReady(id: string, file: ArtifactFile | null): Promise<void> {
    await updateOrThrow(this.artifacts, { id }, { status: 'ready', ...file });
  }

  private async find(id: string, mode: 'pessimistic_read' | 'pessimistic_write'): Promise<BuildArtifact> {
    const artifact = await this.artifacts.findOne({ where: { id }, lock: { mode } });
    if (artifact === null) throw new NotFoundError('Build artifact');
    return artifact;
  }

  private async requireBuild(appId: string, id: string): Promise<void> {
    if (!(await this.artifacts.manager.existsBy(Build, { appId, id }))) throw new NotFoundError('Build');
  }
}

/** The bytes of an artifact. */
export type ArtifactFile = Pick<
  BuildArtifact,
  'blobId' | 'fileName' | 'fileMimeType' | 'fileSizeInBytes' | 'totalSizeInBytes'
>;
