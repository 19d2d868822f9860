import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { ObjectStorage, type PresignedObject } from '../object-storage.js';
import type { Blob } from '../blobs/blob.entity.js';
import { keyOf } from '../blobs/blobs.service.js';

/** A download that the storage may serve itself. */
export interface RedirectableDownload {
  readonly blob: Pick<Blob, 'id' | 'sizeInBytes'>;
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
  /** Whether a CDN may keep the bytes. */
  readonly isPublic: boolean;
  /** Seconds until the address of the store ends; by default 15 minutes. */
  readonly expiresIn?: number;
}

/**
 * Leads clients to the storage itself, if `DOWNLOAD_REDIRECTS` is on. The store cannot send headers of Slipway, such as
 * `X-Checksum`: use it only for clients that do without. See ADR 34.
 */
@Injectable()
export class DownloadRedirects {
  constructor(
    private readonly config: Config,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * A presigned address. It is a secret for as long as it works: never log it.
   *
   * @returns `null`: send the bytes
   * @throws StorageFailure when the storage is away
   */
  async find(request: Request, { blob, ...download }: RedirectableDownload): Promise<PresignedObject | null> {
    if (!this.config.s3.redirects) return null;
    const object = await this.storage.presign(keyOf(blob.id), {
      ...download,
      sizeInBytes: blob.sizeInBytes,
    });
    if (object === null || request.headers.authorization === undefined) return object;
    return keepsToken(publicUrl(this.config.http, request), object.address) ? null : object;
  }
}

/**
 * Whether some client sends its token along when it is redirected: axios does to the same host and to those below it. The
 * store would reject it, besides the signature, and should not see it.
 *
 * @param from the origin that the client talks to
 * @param to the address that it is redirected to
 */
export function keepsToken(from: string, to: string): boolean {
  const [host, target] = [new URL(from).host, new URL(to).host];
  return target === host || target.endsWith(`.${host}`);
}
