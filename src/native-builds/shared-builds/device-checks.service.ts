import { Injectable } from '@nestjs/common';
import { AttemptsService } from '../../accounts/sign-in-attempts/attempts.service.js';
import { networkOf } from '../../common/request-origin/networks.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import type { ArtifactFile } from '../artifact-readers/artifact-facts.js';
import { ArtifactReaderService } from '../artifact-readers/artifact-reader.service.js';
import { installabilityOf } from './ios-install.js';
import type { SharedArtifact, SharedBuild } from './shared-builds.service.js';

/** Devices that are not in the profile without delay, for one share from one address. */
const FREE_PER_ADDRESS = 5;
/** Devices that are not in the profile without delay, for one share from all addresses. */
const FREE_PER_SHARE = 50;

/** Whether a device is in the profile of a shared ipa, or when to ask again. */
export type DeviceVerdict =
  | { readonly result: 'listed' | 'not-listed' }
  | { readonly result: 'too-many'; readonly retryAfterSeconds: number };

/** The ipa of a share whose profile lists devices and that they install; `null`: it has none. The first one of several. */
export function checkableIpaOf({ artifacts }: SharedBuild, now: Date): SharedArtifact | null {
  const lists = ({ artifact, details }: SharedArtifact): boolean =>
    artifact.type === 'ipa' &&
    installabilityOf(details, now) === 'here' &&
    ['ad-hoc', 'development'].includes(details?.signer?.profileType ?? '');
  return artifacts.find(lists) ?? null;
}

/** Compares devices with the profiles of shared ipas. Keeps nothing of a device. Call it outside of transactions. */
@Injectable()
export class DeviceChecks {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly blobs: BlobsService,
    private readonly reader: ArtifactReaderService,
  ) {}

  /**
   * Whether the profile of an ipa lists a device. Each check starts a process, so those that end otherwise are slowed
   * down.
   *
   * @param udid of the device
   * @param origin where the check comes from
   * @throws InvalidRequestError when the file can no longer be read
   * @throws StorageFailure when the storage cannot be read
   * @throws ArtifactReaderBusyError, ServerBusyError when other files are being read
   */
  async check(
    { app, share }: SharedBuild,
    { artifact }: SharedArtifact,
    udid: string,
    origin: RequestOrigin,
  ): Promise<DeviceVerdict> {
    const shared = ['device-check', share.id];
    const own = [...shared, networkOf(origin.address)];
    const permit = await this.attempts.take(own, FREE_PER_ADDRESS);
    if (!permit.allowed) return { result: 'too-many', retryAfterSeconds: permit.retryAfterSeconds };
    const elsewhere = await this.attempts.take(shared, FREE_PER_SHARE);
    if (!elsewhere.allowed) {
      await this.attempts.release(own);
      return { result: 'too-many', retryAfterSeconds: elsewhere.retryAfterSeconds };
    }
    const { sizeInBytes } = await this.blobs.get(artifact.blobId);
    const file = {
      type: 'ipa',
      sizeInBytes,
      openRange: (range) => this.blobs.openRange({ id: artifact.blobId }, range),
    } satisfies ArtifactFile;
    if (!(await this.reader.isInProfile(app.organizationId, file, udid))) return { result: 'not-listed' };
    await this.attempts.release(own);
    await this.attempts.release(shared);
    return { result: 'listed' };
  }
}
