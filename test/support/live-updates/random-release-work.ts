import type { TestApp } from '../../builders/app.js';
import { createBundle } from '../../builders/bundle.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { checkForUpdate } from '../../builders/device.js';
import { Api } from '../http/api.js';
import { pick, randomOf } from '../random.js';
import { sha256 } from '../sha256.js';
import { zipOf } from './archives.js';
import { retainedBundles } from './retention.js';
import { announce, beginUpload, MANIFEST, postFile, publish, putPart, uploadFiles } from './uploads.js';

/** What an update check answers, as far as it matters here. */
interface Offer {
  readonly bundleId: string;
  readonly artifactType: 'zip' | 'manifest';
  readonly url: string;
  readonly checksum?: string;
}

/** Few, so that bundles share them. Some get Brotli variants. */
const CONTENTS = Array.from({ length: 6 }, (_, i) => `${i} `.repeat(i % 2 === 0 ? 700 : 20));

/** How often a device asks again whose bundle was deleted while it downloaded it. */
const TRIES = 10;

/** Clients that publish, deploy, delete and download in any order, all of it decided by a seed. */
export class RandomReleases {
  /** What must not have happened. */
  readonly problems: string[] = [];
  private readonly buildIds = new Map<string, string>();
  private readonly deleted = new Set<string>();
  private clients = 0;

  /** @param origins where the servers are that the clients call */
  constructor(
    private readonly app: TestApp,
    private readonly channels: readonly TestChannel[],
    private readonly origins: readonly string[],
    private readonly seed: number,
  ) {}

  /** One client, which does one thing after the other. */
  async run(steps: number): Promise<void> {
    const client = this.clients++;
    const random = randomOf(this.seed + client);
    const origin = this.origins[client % this.origins.length] ?? '';
    const api = new Api(origin, this.app.api.token);
    const own = await createChannel(this.app, { bundleRetentionCount: 1 });
    const work = [
      this.publish,
      this.publish,
      this.redeploy,
      this.changeShare,
      this.delete,
      this.abandon,
      this.update,
      this.deployAlone,
    ];
    for (let step = 0; step < steps; step++) {
      const action = pick(work, random);
      await action.call(this, api, random, `device-${client}`, own).catch((error: unknown) => {
        this.problems.push(`${action.name}: ${String(error)}`);
      });
    }
  }

  /** How many bundles are gone that no client has deleted. */
  async vanished(): Promise<number> {
    const left = (await retainedBundles(this.app)).map(({ appBundleId }) => appBundleId);
    return [...this.buildIds.keys()].filter((id) => !this.deleted.has(id) && !left.includes(id)).length;
  }

  /** Fails unless every bundle that is there, and every one that devices are offered, can be downloaded. */
  async expectAllDelivered(): Promise<void> {
    const path = `${this.app.api.origin}${this.app.path}/bundles`;
    for (const { appBundleId, artifactType } of await retainedBundles(this.app)) {
      const offer = { bundleId: appBundleId, artifactType, url: `${path}/${appBundleId}/download` };
      expect([appBundleId, await failureOf(offer)]).toEqual([appBundleId, null]);
    }
    for (const { name } of this.channels) {
      for (let device = 0; device < 10; device++) {
        const { status, body } = await checkForUpdate(this.app, {
          channelName: name,
          deviceId: `late-${device}`,
        });
        if (status !== 404) expect(await failureOf(body as Offer)).toBeNull();
      }
    }
  }

  /** Deletes every bundle. */
  async deleteAll(): Promise<void> {
    for (;;) {
      const left = await retainedBundles(this.app);
      if (left.length === 0) return;
      for (const { appBundleId } of left)
        await this.app.api.delete(`${this.app.path}/bundles/${appBundleId}`);
    }
  }

  private async publish(api: Api, random: () => number): Promise<void> {
    const isZip = random() < 0.3;
    const bundle = await createBundle(
      { ...this.app, api },
      {
        artifactType: isZip ? 'zip' : 'manifest',
        channelName: pick(this.channels, random).name,
        rolloutPercentage: random() < 0.7 ? 1 : random(),
      },
    );
    const files = {
      'index.html': pick(CONTENTS, random),
      'assets/app.js': pick(CONTENTS, random),
      'style.css': pick(CONTENTS, random),
    };
    let fields = {};
    if (isZip) {
      const { body } = await postFile(bundle, await zipOf(files), {});
      fields = { appBundleFileId: (body as { id: string }).id };
    } else {
      await uploadFiles(bundle, files);
    }
    expectStatus(await publish(bundle, fields), 200);
    this.buildIds.set(bundle.id, bundle.buildId);
  }

  private async redeploy(api: Api, random: () => number): Promise<void> {
    const known = [...this.buildIds.values()];
    if (known.length === 0) return;
    const values = { appBuildId: pick(known, random), appChannelId: pick(this.channels, random).id };
    // The build may be deleted before, or in between.
    expectStatus(await api.post(`${this.app.path}/deployments`, values), 201, 400, 404, 409);
  }

  private async changeShare(api: Api, random: () => number): Promise<void> {
    const { id } = pick(this.channels, random);
    const { body } = await api.get(`${this.app.path}/deployments?limit=10&appChannelId=${id}`);
    const deployments = body as { id: string }[];
    if (deployments.length === 0) return;
    const path = `${this.app.path}/deployments/${pick(deployments, random).id}`;
    expectStatus(await api.patch(path, { rolloutPercentage: pick([0, 0.5, 1], random) }), 200, 404);
  }

  /** Deploys where no one else does: from then on it is offered, unless a client deletes it. */
  private async deployAlone(api: Api, random: () => number, _: string, own: TestChannel): Promise<void> {
    const known = [...this.buildIds];
    if (known.length === 0) return;
    const [bundleId, appBuildId] = pick(known, random);
    const values = { appBuildId, appChannelId: own.id };
    const deployed = await api.post(`${this.app.path}/deployments`, values);
    expectStatus(deployed, 201, 400, 404, 409);
    if (deployed.status !== 201) return;
    const { body } = await checkForUpdate({ ...this.app, api }, { channelName: own.name });
    const offer = body as Offer;
    const failure = offer.bundleId === bundleId ? await failureOf(offer) : 'it is not offered';
    if (failure !== null && !this.deleted.has(bundleId)) throw new Error(`${bundleId}: ${failure}.`);
  }

  private async delete(api: Api, random: () => number): Promise<void> {
    const known = [...this.buildIds.keys()];
    if (known.length === 0 || random() < 0.5) return;
    const id = pick(known, random);
    this.deleted.add(id);
    expectStatus(await api.delete(`${this.app.path}/bundles/${id}`), 204, 404);
  }

  /** An upload that is not completed, and whose bundle is deleted. */
  private async abandon(api: Api, random: () => number): Promise<void> {
    const bundle = await createBundle({ ...this.app, api });
    const content = pick(CONTENTS, random);
    await postFile(bundle, content, { href: 'index.html' });
    const file = await announce(bundle, content, { href: 'app.js' });
    expectStatus(await putPart(api, file, await beginUpload(api, file), 1, content), 200);
    expectStatus(await api.delete(bundle.path), 204);
  }

  /**
   * A device asks and downloads. When a bundle is deleted meanwhile, by a person or since there is no grace period, the
   * device is not offered it again.
   */
  private async update(api: Api, random: () => number, deviceId: string): Promise<void> {
    const app = { ...this.app, api };
    const channelName = pick(this.channels, random).name;
    let failed: string | null = null;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const response = await checkForUpdate(app, { deviceId, channelName });
      expectStatus(response, 200, 404);
      if (response.status === 404) return;
      const offer = response.body as Offer;
      if (offer.bundleId === failed) throw new Error(`${failed} is offered, and cannot be downloaded.`);
      if ((await failureOf(offer)) === null) return;
      failed = offer.bundleId;
    }
  }
}

/** Downloads all that is offered. @returns what is wrong with it, or `null` */
async function failureOf({ artifactType, url, checksum }: Offer): Promise<string | null> {
  if (artifactType === 'zip') return fileFailure(url, checksum ?? null);
  const response = await fetch(`${url}?href=${encodeURIComponent(MANIFEST)}`);
  if (response.status !== 200) return `the manifest: ${response.status}`;
  const items = (await response.json()) as { href: string; checksum: string }[];
  for (const { href, checksum: listed } of items) {
    const isNamed = url.endsWith('/named');
    const named = (content: string): string => (isNamed ? sha256(`${content}\n${href}`) : content);
    const failure = await fileFailure(`${url}?href=${encodeURIComponent(href)}`, listed, named);
    if (failure !== null) return failure;
  }
  return null;
}

/** @throws Error for wrong bytes, which there is no excuse for */
async function fileFailure(
  url: string,
  checksum: string | null,
  checksumOf = (content: string): string => content,
): Promise<string | null> {
  const response = await fetch(url);
  const actual = sha256(Buffer.from(await response.arrayBuffer()));
  if (response.status !== 200) return `${url}: ${response.status}`;
  const expected = checksum ?? response.headers.get('x-checksum');
  if (checksumOf(actual) !== expected) throw new Error(`${url} has other bytes than ${expected}.`);
  return null;
}

function expectStatus({ status, text }: { status: number; text: string }, ...allowed: number[]): void {
  if (!allowed.includes(status)) throw new Error(`${status} ${text}`);
}
