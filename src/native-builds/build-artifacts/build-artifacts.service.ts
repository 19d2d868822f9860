import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type DeepPartial, In, type Repository } from 'typeorm';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { findOrThrow, findPage, insertOrThrow, lockOrThrow, updateOrThrow } from '../../database/rows.js';
import { BuildArtifact } from './build-artifact.entity.js';
import { BuildArtifactsQueries } from './build-artifacts.queries.js';

@Injectable()
export class BuildArtifactsService {
  constructor(
    @InjectRepository(BuildArtifact) private readonly artifacts: Repository<BuildArtifact>,
    private readonly queries: BuildArtifactsQueries,
  ) {}

  /** The artifacts of a build, newest first. */
  async list(appId: string, buildId: string, query: PageQuery): Promise<Page<BuildArtifact>> {
    await this.queries.requireBuild(appId, buildId);
    return findPage(this.artifacts, { buildId }, query, { createdAt: 'DESC' });
  }

  /** The artifacts of several builds, oldest first. */
  listAll(buildIds: readonly string[]): Promise<BuildArtifact[]> {
    return this.artifacts.find({
      where: { buildId: In([...buildIds]) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** An artifact of a build of an app. @throws NotFoundError */
  async getOf(appId: string, buildId: string, id: string): Promise<BuildArtifact> {
    await this.queries.requireBuild(appId, buildId);
    return findOrThrow(this.artifacts, { buildId, id });
  }

  /**
   * An artifact that can be downloaded.
   *
   * @throws NotFoundError when it does not exist in this build of this app, is pending, or is hosted elsewhere
   */
  async getReady(appId: string, buildId: string, id: string): Promise<BuildArtifact & { blobId: string }> {
    await this.queries.requireBuild(appId, buildId);
    const artifact = await findOrThrow(this.artifacts, { buildId, id, status: 'ready' });
    if (artifact.blobId === null) throw new NotFoundError('Build artifact');
    return { ...artifact, blobId: artifact.blobId };
  }

  /** An artifact of a build whose job has not succeeded. @throws NotFoundError */
  getPending(buildId: string, id: string): Promise<BuildArtifact> {
    return findOrThrow(this.artifacts, { id, buildId, status: 'pending' });
  }

  /** Locks all artifacts of a build until the transaction ends. */
  lockAll(buildId: string): Promise<BuildArtifact[]> {
    return this.artifacts.find({ where: { buildId }, lock: { mode: 'pessimistic_write' } });
  }

  /** The artifacts of a build that are complete, oldest first; none of them can be deleted until the transaction ends. */
  keepReady(buildId: string): Promise<BuildArtifact[]> {
    return this.artifacts.find({
      where: { buildId, status: 'ready' },
      order: { createdAt: 'ASC', id: 'ASC' },
      lock: { mode: 'for_key_share' },
    });
  }

  /** Stores the content of a pending artifact. @throws NotFoundError */
  async attach(buildId: string, id: string, blobId: string, sizeInBytes: number): Promise<void> {
    const file = { blobId, fileSizeInBytes: sizeInBytes, totalSizeInBytes: sizeInBytes };
    const { affected } = await this.artifacts.update({ id, buildId, status: 'pending' }, file);
    if (affected === 0) throw new NotFoundError('Build artifact');
  }

  /** Deletes the pending artifacts of a build, with what depends on them. @param id only this one */
  async discard(buildId: string, id?: string): Promise<void> {
    await this.artifacts.delete({ buildId, status: 'pending', ...(id === undefined ? {} : { id }) });
  }

  create(values: DeepPartial<BuildArtifact>): Promise<BuildArtifact> {
    return insertOrThrow(this.artifacts, values);
  }

  /** @throws NotFoundError */
  get(id: string): Promise<BuildArtifact> {
    return findOrThrow(this.artifacts, { id });
  }

  /** Those that exist, in any order. */
  getMany(ids: readonly string[]): Promise<BuildArtifact[]> {
    return this.artifacts.findBy({ id: In([...ids]) });
  }

  /** Locks an artifact until the transaction ends. @throws NotFoundError */
  lock(id: string): Promise<BuildArtifact> {
    return lockOrThrow(this.artifacts, { id });
  }

  /** As `lock`, but shared: for adding to an artifact. @throws NotFoundError */
  lockShared(id: string): Promise<BuildArtifact> {
    return lockOrThrow(this.artifacts, { id }, 'pessimistic_read');
  }

  /** Makes an artifact available. @param file its content; `null`: hosted elsewhere */
  async markReady(id: string, file: ArtifactFile | null): Promise<void> {
    await updateOrThrow(this.artifacts, { id }, { status: 'ready', ...file });
  }
}

/** The content of an artifact. */
export type ArtifactFile = Pick<
  BuildArtifact,
  'blobId' | 'fileName' | 'fileMimeType' | 'fileSizeInBytes' | 'totalSizeInBytes'
>;
