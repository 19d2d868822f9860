import { query } from '../../../test/setup/databases.ts';
import type { Instance } from '../../instance.ts';
import { Publisher } from '../../transfer/publisher.ts';

/** The ids of a bundle and its deployment. */
export interface Deployed {
  readonly bundleId: string;
  readonly deploymentId: string;
}

/** An app that is seeded through the API, so that servers of other commits can be seeded, too. */
export class SeededApp {
  readonly id: string;
  private readonly instance: Instance;
  private readonly publisher: Publisher;

  private constructor(instance: Instance, publisher: Publisher, id: string) {
    this.instance = instance;
    this.publisher = publisher;
    this.id = id;
  }

  static async create(instance: Instance, values: object): Promise<SeededApp> {
    const publisher = new Publisher(instance.origin, instance.token);
    return new SeededApp(instance, publisher, await publisher.createApp(values));
  }

  /** Deploys bundles to the default channel, one after the other. @param values of each bundle */
  async deploy(count: number, values: object = {}): Promise<Deployed[]> {
    const deployed: Deployed[] = [];
    while (deployed.length < count) {
      const bundle = await this.instance.call<{ id: string; appDeploymentId: string }>(
        'POST',
        `/v1/apps/${this.id}/bundles`,
        { artifactType: 'zip', url: 'https://cdn.example.com/bundle.zip', ...values },
      );
      deployed.push({ bundleId: bundle.id, deploymentId: bundle.appDeploymentId });
    }
    return deployed;
  }

  /** Publishes a bundle whose file is damaged: it has another hash, or the server would find it right again. */
  async deployDamaged(): Promise<void> {
    await this.publisher.zip(new Map([['index.html', Buffer.from(this.id)]]));
    await query(
      this.instance.databaseUrl,
      `UPDATE blobs SET damaged_at = now(), damage = 'missing', sha256 = md5(id::text) || md5(id::text)
        WHERE id IN (SELECT file.blob_id FROM bundle_files AS file
                       JOIN build_artifacts AS artifact ON artifact.id = file.bundle_id
                       JOIN builds AS build ON build.id = artifact.build_id
                      WHERE build.app_id = $1)`,
      [this.id],
    );
  }
}
