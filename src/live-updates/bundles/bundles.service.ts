import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, type FindOperator, Raw, type Repository } from 'typeorm';
import type { App } from '../../apps/apps/app.entity.js';
import { invalidField } from '../../common/errors/app-error.js';
import { findOrThrow, findPage, lockOrThrow, updateOrThrow } from '../../database/rows.js';
import { idContains } from '../../database/text-filters.js';
import type { Page } from '../../common/pagination/page.js';
import type { Warning } from '../../common/warnings/warning.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { BuildArtifact } from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../../native-builds/build-artifacts/build-artifacts.service.js';
import { targetingOf } from '../../native-builds/builds/create-build.dto.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { StorageQuotasService } from '../../storage/uploads/storage-quotas.service.js';
import type { Channel } from '../channels/channel.entity.js';
import { ChannelsService } from '../channels/channels.service.js';
import { DeploymentsService } from '../deployments/deployments.service.js';
import type { Emergency } from '../deployments/emergency.js';
import { type BundleDto, toBundleDto, type CreateBundleDto, type ListBundlesQuery } from './bundle.dto.js';
import { Bundle } from './bundle.entity.js';
import { invalidSignature } from '../bundle-content/bundle-errors.js';
import { missingChecksumWarning } from '../bundle-content/bundle-warnings.js';
import { registeredDigest } from '../bundle-content/content-digest.js';
import { SignatureVerifier } from '../bundle-content/signatures.js';
import { StorageReserve } from '../../storage/storage-reserve.js';

/** A bundle that is ready, as its request responds. */
export interface DeployedBundle {
  readonly bundle: Bundle;
  /** Whether the app skips its content: the bundle then names the deployment that has it. */
  readonly isSkipped: boolean;
  readonly warnings: readonly Warning[];
}

@Injectable()
export class BundlesService {
  constructor(
    @InjectRepository(Bundle) private readonly bundles: Repository<Bundle>,
    private readonly builds: BuildsService,
    private readonly artifacts: BuildArtifactsService,
    private readonly channels: ChannelsService,
    private readonly deployments: DeploymentsService,
    private readonly quotas: StorageQuotasService,
    private readonly reserve: StorageReserve,
  ) {}

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Bundle> {
    return findOrThrow(this.bundles, { appId, id });
  }

  /** Locks a bundle until the transaction ends. @throws NotFoundError */
  lock(appId: string, id: string): Promise<Bundle> {
    return lockOrThrow(this.bundles, { appId, id });
  }

  /**
   * Puts a bundle under legal hold, or releases it; one that is held already keeps the start.
   *
   * @param reason `null`: releases it
   * @throws NotFoundError
   */
  setLegalHold(appId: string, id: string, reason: string | null): Promise<Bundle> {
    const legalHoldAt = reason === null ? null : () => 'coalesce(legal_hold_at, now())';
    return updateOrThrow(this.bundles, { appId, id }, { legalHoldAt, legalHoldReason: reason });
  }

  /** Makes the database forget how often devices rolled a bundle back. */
  async clearRollbacks(appId: string, id: string): Promise<void> {
    await this.bundles.update({ appId, id }, { rollbacksClearedAt: () => 'now()' });
  }

  /** The bundles of an app, newest first. */
  list(
    appId: string,
    { appBuildId, artifactStatus, query, ...page }: ListBundlesQuery,
  ): Promise<Page<Bundle>> {
    const conditions = [
      ...(appBuildId === undefined ? [] : [ofArtifacts('build_id', appBuildId)]),
      ...(artifactStatus === undefined ? [] : [ofArtifacts('status', artifactStatus)]),
      ...(query === undefined ? [] : [idContains(query)]),
    ];
    const where = conditions.length === 0 ? { appId } : { appId, id: And(...conditions) };
    return findPage(this.bundles, where, page, { createdAt: 'DESC' });
  }

  /**
   * Creates a web build with its bundle. An uploaded bundle waits for its files; a registered one, which has a
   * `url`, is ready and deployed immediately.
   *
   * @param consequences what it means for devices if it is deployed
   * @throws NotFoundError for an unknown channel
   * @throws ForbiddenError when the organization may not store more
   * @throws InvalidRequestError for a registered bundle that is not a zip or has a wrong signature, or an unsigned one
   *   for a protected channel
   * @throws InsufficientStorageError when only the reserve is left for the files of an uploaded bundle
   */
  async create(app: App, values: CreateBundleDto, consequences: readonly Warning[]): Promise<BundleDto> {
    const registered = values.url != null;
    // Uploads in parts end at the first error of the server, without showing it.
    if (!registered) await this.reserve.require();
    const channel = await this.targetOf(app, values.channelName ?? null);
    if (registered && values.artifactType !== 'zip') {
      throw invalidField('artifactType', 'artifactType must be zip when a url is given.');
    }
    if (!registered && values.emergency) {
      throw invalidField(
        'emergency',
        'emergency requires a url: other bundles are deployed when you publish them.',
      );
    }
    if (registered) await requireValidSignature(app, values);
    else await this.quotas.requireRoom(app.organizationId, null);
    return transaction(async () => {
      // Locked before the app, which a new build number locks: the deletion of a default channel locks both in this
      // order.
      if (registered && channel !== null) await this.channels.lock(app.id, channel.id);
      const build = await this.builds.create(app.id, {
        platform: 'web',
        ...targetingOf(values),
        gitRef: values.gitRef ?? null,
        gitCommitMessage: values.gitCommitMessage ?? null,
        gitCommitRef: values.gitCommitRef ?? null,
        gitCommitSha: values.gitCommitSha ?? null,
      });
      const artifact = await this.artifacts.create({
        buildId: build.id,
        type: values.artifactType,
        status: registered ? 'ready' : 'pending',
      });
      await this.builds.created.notify(build);
      const bundle = await this.insert(artifact, channel, values, app.id);
      if (!registered) return toBundleDto(bundle, artifact);
      const deployed = await this.deploy(bundle, artifact, values.emergency ?? null);
      const warnings = [
        ...missingChecksumWarning(bundle),
        ...deployed.warnings,
        ...(deployed.isSkipped ? [] : consequences),
      ];
      return toBundleDto(deployed.bundle, artifact, warnings);
    });
  }

  /**
   * Deletes a bundle with its build and its deployments.
   *
   * @throws NotFoundError
   * @throws ConflictError when it is under legal hold
   */
  async delete(appId: string, id: string): Promise<void> {
    const bundle = await this.get(appId, id);
    await transaction(async () => {
      const { buildId } = await this.artifacts.lock(bundle.id);
      await this.builds.delete(appId, buildId);
    });
  }

  /**
   * Sends a bundle that is ready to its channel, if it has one, and remembers the deployment. If the app skips its content,
   * the result has the deployment that delivers the content, and the bundle stays undeployed.
   *
   * @param emergency overrides approvals and freezes
   * @throws NotFoundError when the channel has been deleted in the meantime
   * @throws ConflictError when the channel is frozen
   * @throws InvalidRequestError when the channel is protected and the bundle is not signed, or its devices would build
   *   it wrongly
   */
  async deploy(
    bundle: Bundle,
    { buildId }: BuildArtifact,
    emergency: Emergency | null,
  ): Promise<DeployedBundle> {
    const { id, appId, channelId, rolloutPercentage, signed, notes } = bundle;
    if (channelId === null) return { bundle, isSkipped: false, warnings: [] };
    const { deployment, isNew, warnings } = await this.deployments.deploy(appId, {
      buildId,
      channelId,
      rolloutPercentage,
      signed,
      emergency,
      notes,
    });
    const deploymentId = deployment.id;
    return isNew
      ? { bundle: await updateOrThrow(this.bundles, { id }, { deploymentId }), isSkipped: false, warnings }
      : { bundle: { ...bundle, deploymentId }, isSkipped: true, warnings };
  }

  /** As `deploy` responded, of a bundle that was published before. */
  async published(bundle: Bundle, { buildId }: BuildArtifact): Promise<DeployedBundle> {
    const { channelId, deploymentId, rolloutPercentage } = bundle;
    const unchanged = { bundle, isSkipped: false, warnings: [] };
    if (channelId === null || deploymentId !== null) return unchanged;
    const [channel] = await this.channels.getMany([channelId]);
    if (channel === undefined) return unchanged;
    const same = await this.deployments.sameContent(channel, { buildId, rolloutPercentage }, null);
    if (same === null || same.isNew) return unchanged;
    const found = { ...bundle, deploymentId: same.deployment.id };
    return { bundle: found, isSkipped: true, warnings: same.warnings };
  }

  private async targetOf(app: App, name: string | null): Promise<Channel | null> {
    if (name !== null) return this.channels.getByName(app.id, name);
    return app.defaultChannelId === null ? null : this.channels.get(app.id, app.defaultChannelId);
  }

  private async insert(
    artifact: BuildArtifact,
    channel: Channel | null,
    values: CreateBundleDto,
    appId: string,
  ): Promise<Bundle> {
    const signature = values.signature ?? null;
    const bundles = this.bundles;
    const bundle = bundles.create({
      id: artifact.id,
      appId,
      channelId: channel?.id ?? null,
      rolloutPercentage: values.rolloutPercentage ?? 1,
      notes: values.notes ?? null,
      deploymentId: null,
      expiresAt: values.expiresAt ?? null,
      legalHoldAt: null,
      legalHoldReason: null,
      // For an uploaded bundle, these are determined at publication.
      ...(values.url == null
        ? { url: null, checksum: null, signature: null, signed: false, contentDigest: null }
        : {
            url: values.url,
            checksum: values.checksum ?? null,
            signature,
            signed: signature !== null,
            contentDigest: registeredDigest(values.checksum ?? null, signature),
          }),
    });
    await bundles.insert(bundle);
    return bundle;
  }
}

/** The id of a bundle whose artifact has a value in a column. */
function ofArtifacts(column: 'build_id' | 'status', value: string): FindOperator<string> {
  return Raw((id) => `${id} IN (SELECT id FROM build_artifacts WHERE ${column} = :${column})`, {
    [column]: value,
  });
}

/**
 * The bytes of a registered zip are stored elsewhere, but its signature can be verified with the checksum.
 *
 * @throws InvalidRequestError when no key of the app verifies it
 */
async function requireValidSignature(
  { publicKeys }: App,
  { checksum, signature }: CreateBundleDto,
): Promise<void> {
  if (signature == null || publicKeys.length === 0) return;
  if (checksum == null) {
    throw invalidField('checksum', 'checksum is required to verify the signature with the keys of the app.');
  }
  const invalid = await new SignatureVerifier(publicKeys).findInvalid([{ sha256: checksum, signature }]);
  if (invalid.length > 0)
    throw invalidSignature('signature', ['the zip has a signature by no key of the app']);
}
