import { Injectable } from '@nestjs/common';
import { ForbiddenError, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { ArtifactDetailsService } from '../artifact-details/artifact-details.service.js';
import type { BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { ShareAddressesService } from '../shared-builds/share-addresses.service.js';
import { SharedBuildsService } from '../shared-builds/shared-builds.service.js';
import { SignedDownloads } from '../signed-downloads/signed-downloads.service.js';
import { type OwnFile, readOwnAddress, writeOwnAddress } from './own-address.js';

const FOREIGN =
  'url must be an address of this server that downloads an ipa now: the signed one of an artifact, or that of a share.';

/** Finds what devices may install by its address. */
@Injectable()
export class InstallableFiles {
  constructor(
    private readonly artifacts: BuildArtifactsService,
    private readonly details: ArtifactDetailsService,
    private readonly signed: SignedDownloads,
    private readonly shared: SharedBuildsService,
    private readonly addresses: ShareAddressesService,
  ) {}

  /**
   * The address of an ipa, in the form of this server.
   *
   * @param origin of this server
   * @param packageName that a manifest says: a device refuses to install another one
   * @throws InvalidRequestError for an address elsewhere, of another kind, or that does not work now; for another package
   */
  async requireIpa(url: string, origin: string, packageName: string): Promise<string> {
    const file = readOwnAddress(url, origin);
    const artifact = file === null ? null : await this.find(file);
    if (file === null || artifact?.type !== 'ipa') throw invalidField('url', FOREIGN);
    const details = await this.details.findOne(artifact.id);
    if (details !== null && details.packageName !== packageName) {
      throw invalidField('packageName', `packageName must be ${details.packageName}, as the file says.`);
    }
    return writeOwnAddress(file, origin);
  }

  /** @returns `null`: there is none, or the address does not open it now */
  private async find(file: OwnFile): Promise<BuildArtifact | null> {
    try {
      if ('shareId' in file) {
        const share = await this.shared.findShare(file.shareId);
        this.addresses.require(share, file.artifactId, file.signed);
        return await this.shared.getFile(share, file.artifactId);
      }
      if (!this.signed.isValid(file.artifactId, file.signed)) return null;
      return await this.artifacts.getReady(file.appId, file.buildId, file.artifactId);
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof ForbiddenError) return null;
      throw error;
    }
  }
}
