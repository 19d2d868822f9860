import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BuildViewsService } from '../../native-builds/builds/build-views.service.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { SignatureVerifier } from '../bundles/signatures.js';
import { type DeploymentDto, toDeploymentDto } from './deployment.dto.js';
import type { Deployment } from './deployment.entity.js';

/** What deployments need to know from their neighbours. */
@Injectable()
export class DeploymentsQueries {
  constructor(
    private readonly database: DataSource,
    private readonly builds: BuildsService,
    private readonly buildViews: BuildViewsService,
  ) {}

  /** The bundle of a web build, once it can be delivered. */
  async readyBundle(buildId: string): Promise<{ id: string; signed: boolean } | null> {
    const rows = await this.database.query<{ id: string; signed: boolean }[]>(
      `SELECT bundles.id, bundles.signed
         FROM build_artifacts JOIN bundles ON bundles.id = build_artifacts.id
        WHERE build_artifacts.build_id = $1 AND build_artifacts.status = 'ready'`,
      [buildId],
    );
    return rows[0] ?? null;
  }

  /**
   * Whether the keys that the app has now verify every signature of a bundle; without keys, whatever it says counts.
   * The bundle may have been signed before the app had these keys.
   */
  async isVerified(appId: string, bundleId: string): Promise<boolean> {
    const [app] = await this.database.query<{ keys: string[] }[]>(
      'SELECT public_keys AS keys FROM apps WHERE id = $1',
      [appId],
    );
    if (app === undefined || app.keys.length === 0) return true;
    const files = await this.database.query<{ sha256: string | null; signature: string | null }[]>(
      `SELECT blobs.sha256, bundle_files.signature
         FROM bundle_files JOIN blobs ON blobs.id = bundle_files.blob_id WHERE bundle_files.bundle_id = $1
        UNION ALL
       SELECT checksum, signature FROM bundles WHERE id = $1 AND url IS NOT NULL`,
      [bundleId],
    );
    // Of a registered zip nobody may have stated the checksum.
    const known = files.flatMap(({ sha256, signature }) => (sha256 === null ? [] : [{ sha256, signature }]));
    if (known.length < files.length) return false;
    return (await new SignatureVerifier(app.keys).findInvalid(known)).length === 0;
  }

  /**
   * Shows deployments of one app with the names of their channels.
   *
   * @param relations what was asked for: `appBuild`, `job`
   * @param tx a running transaction that reads the names
   */
  async show(
    deployments: readonly Deployment[],
    relations: readonly string[] = [],
    tx: EntityManager = this.database.manager,
  ): Promise<DeploymentDto[]> {
    const names = await this.channelNames(tx, deployments);
    const builds = relations.includes('appBuild') ? await this.buildsOf(deployments) : null;
    const withJob = relations.some((name) => name === 'job' || name.startsWith('job.'));
    return deployments.map((deployment) => {
      const appBuild = builds?.get(deployment.buildId);
      const related = { withJob, ...(appBuild ? { appBuild } : {}) };
      return toDeploymentDto(deployment, names.get(deployment.channelId) ?? null, related);
    });
  }

  /** As `show`, for one deployment. */
  async showOne(
    deployment: Deployment,
    relations?: readonly string[],
    tx?: EntityManager,
  ): Promise<DeploymentDto> {
    const [dto] = await this.show([deployment], relations, tx);
    return dto as DeploymentDto;
  }

  private async channelNames(
    tx: EntityManager,
    deployments: readonly Deployment[],
  ): Promise<Map<string, string>> {
    const rows = await tx.query<{ id: string; name: string }[]>(
      'SELECT id, name FROM channels WHERE id = ANY($1)',
      [deployments.map(({ channelId }) => channelId)],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  private async buildsOf(deployments: readonly Deployment[]) {
    const [first] = deployments;
    if (first === undefined) return new Map<string, never>();
    const ids = deployments.map(({ buildId }) => buildId);
    const shown = await this.buildViews.of(await this.builds.getMany(first.appId, ids));
    return new Map(shown.map((build) => [build.id, build]));
  }
}
