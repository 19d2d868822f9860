import { Injectable } from '@nestjs/common';
import { ForbiddenError, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { ArtifactDetailsService } from '../artifact-details/artifact-details.service.js';
import type { BuildArtifact } from '../build-artifacts/build-artifact.entity.js';
import { BuildArtifactsService } from '../build-artifacts/build-artifacts.service.js';
import { ShareAddressesService } from '../shared-builds/share-addresses.service.js';
import { SharedBuildsService } from '../shared-builds/shared-builds.service.js';
import { SignedDownloads } from '../build-artifacts/signed-downloads.service.js';
import type { SignedAddressQuery } from '../build-artifacts/signed-address-query.dto.js';

/** A file of this server, as its address names it. */
type OwnFile = { readonly artifactId: string; readonly signed: SignedAddressQuery } & (
  { readonly shareId: string } | { readonly appId: string; readonly buildId: string }
);
const ID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const OF_SHARE = new RegExp(`^/v1/app-build-shares/${ID}/artifacts/${ID}/download$`);
const OF_BUILD = new RegExp(`^/v1/apps/${ID}/builds/${ID}/artifacts/${ID}/download$`);

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

/**
 * Reads the address of a download. The text must begin with the origin as this server writes it, and be one of two paths:
 * no parser of addresses decides what another one could read differently.
 *
 * @returns `null`: it is another address
 */
function readOwnAddress(text: string, origin: string): OwnFile | null {
  if (!text.startsWith(`${origin}/`)) return null;
  const [path = '', ...rest] = text.slice(origin.length).split('?');
  const query = new URLSearchParams(rest.join('?'));
  const expiresAt = onlyOf(query, 'expiresAt', /^\d{1,15}$/);
  const signature = onlyOf(query, 'signature', /^[0-9a-f]{64}$/);
  if (expiresAt === null || signature === null) return null;
  const signed = {
    ...(expiresAt === undefined ? {} : { expiresAt: Number(expiresAt) }),
    ...(signature === undefined ? {} : { signature }),
  };
  const [, shareId, sharedId] = OF_SHARE.exec(path) ?? [];
  if (shareId !== undefined && sharedId !== undefined) return { shareId, artifactId: sharedId, signed };
  const [, appId, buildId, artifactId] = OF_BUILD.exec(path) ?? [];
  if (appId === undefined || buildId === undefined || artifactId === undefined) return null;
  return { appId, buildId, artifactId, signed };
}

/** @returns `undefined`: it is absent; `null`: it is there several times, or has another form */
function onlyOf(query: URLSearchParams, name: string, form: RegExp): string | undefined | null {
  const [value, ...others] = query.getAll(name);
  if (value === undefined) return undefined;
  return others.length === 0 && form.test(value) ? value : null;
}

/** The address of a file, made of what was read: nothing else of the text is passed on. */
function writeOwnAddress(file: OwnFile, origin: string): string {
  const path =
    'shareId' in file
      ? `/v1/app-build-shares/${file.shareId}/artifacts/${file.artifactId}/download`
      : `/v1/apps/${file.appId}/builds/${file.buildId}/artifacts/${file.artifactId}/download`;
  const url = new URL(path, origin);
  const { expiresAt, signature } = file.signed;
  if (expiresAt !== undefined) url.searchParams.set('expiresAt', String(expiresAt));
  if (signature !== undefined) url.searchParams.set('signature', signature);
  return url.href;
}
