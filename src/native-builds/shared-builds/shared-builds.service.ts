import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { ArtifactDetails } from '../artifact-details/artifact-details.entity.js';
import { ArtifactDetailsService } from '../artifact-details/artifact-details.service.js';
import type { ArtifactType, BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import type { Build } from '../builds/build.entity.js';
import { BuildsService } from '../builds/builds.service.js';
import type { BuildShare } from '../build-shares/build-share.entity.js';
import { BuildSharesService } from '../build-shares/build-shares.service.js';

/** What a share offers, what can be installed first. Not the zip of a web build, nor symbols and mappings. */
const SHARED_TYPES: readonly ArtifactType[] = ['apk', 'ipa', 'aab'];

/** A file of a share. */
export interface SharedArtifact {
  readonly artifact: BuildArtifact & { readonly blobId: string };
  /** What the file says about itself; `null`: it was not read. */
  readonly details: ArtifactDetails | null;
}

/** What the page of a share shows. */
export interface SharedBuild {
  readonly share: BuildShare;
  readonly app: App;
  readonly build: Build;
  /** Empty for web builds, and when the files were deleted. */
  readonly artifacts: readonly SharedArtifact[];
}

/** Finds builds by their shares, for callers of whom nothing else is known. */
@Injectable()
export class SharedBuildsService {
  constructor(
    private readonly shares: BuildSharesService,
    private readonly apps: AppsService,
    private readonly builds: BuildsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly details: ArtifactDetailsService,
  ) {}

  /** A share that has not expired. @throws NotFoundError */
  findShare(id: string): Promise<BuildShare> {
    return this.shares.findOpen(id);
  }

  /** The build of a share, with its files. @throws NotFoundError when it has been deleted in the meantime */
  async find(share: BuildShare): Promise<SharedBuild> {
    const build = await this.builds.find(share.buildId);
    if (build === null) throw new NotFoundError('Build share');
    return { share, build, app: await this.apps.get(build.appId), artifacts: await this.listFiles(build.id) };
  }

  /** A file of a share. @throws NotFoundError when it is not one */
  async getFile({ buildId }: BuildShare, artifactId: string): Promise<SharedArtifact['artifact']> {
    const found = (await this.listArtifacts(buildId)).find(({ id }) => id === artifactId);
    if (found === undefined) throw new NotFoundError('Build artifact');
    return found;
  }

  private async listFiles(buildId: string): Promise<SharedArtifact[]> {
    const artifacts = await this.listArtifacts(buildId);
    const details = await this.details.find(artifacts.map(({ id }) => id));
    return artifacts.map((artifact) => ({ artifact, details: details.get(artifact.id) ?? null }));
  }

  private async listArtifacts(buildId: string): Promise<SharedArtifact['artifact'][]> {
    const rank = ({ type }: BuildArtifact): number => SHARED_TYPES.indexOf(type);
    const all = await this.artifacts.listAll([buildId]);
    return all
      .flatMap((artifact) => (artifact.blobId === null ? [] : [{ ...artifact, blobId: artifact.blobId }]))
      .filter((artifact) => artifact.status === 'ready' && rank(artifact) >= 0)
      .toSorted((a, b) => rank(a) - rank(b));
  }
}

/** The icon of a build: of its first file that has one. */
export function iconOf({ artifacts }: SharedBuild): { blobId: string; mimeType: string } | null {
  for (const { details } of artifacts) {
    const { iconBlobId: blobId = null, iconMimeType: mimeType = null } = details ?? {};
    if (blobId !== null && mimeType !== null && ICON_TYPES.includes(mimeType)) return { blobId, mimeType };
  }
  return null;
}

/** Never SVG, which can run scripts. */
const ICON_TYPES: readonly string[] = ['image/png', 'image/webp'];
