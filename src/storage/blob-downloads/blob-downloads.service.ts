import { once } from 'node:events';
import { pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DamagedFileError } from '../../common/errors/app-error.js';
import { isPrematureClose } from '../../common/http/is-premature-close.js';
import { RecentIds } from '../../common/recent-ids.js';
import { BlobChecksService } from '../blobs/blob-checks.service.js';
import { keyOf } from '../blobs/blobs.service.js';
import { MAX_VERIFIED_BY_REQUEST, ScrubQueue } from '../blobs/scrub-queue.js';
import {
  type ObjectState,
  ObjectStorage,
  type PresignedObject,
  type StoredObject,
} from '../object-storage.js';
import { ObjectNotFoundError } from '../storage-errors.js';
import { DamageReports } from './damage-reports.service.js';
import {
  describe,
  type DownloadedBlob,
  type EncodedBlob,
  etagOf,
  type Form,
  plainForm,
} from './download-form.js';
import { ExactBody } from './exact-body.js';

const DAY = 24 * 3_600_000;

/** Ways to send a blob other than as its own bytes. */
export interface SendOptions {
  /**
   * Codings to send instead, the preferred one first; a damaged one is left out. The `ETag` names the object, because the same
   * coding in another quality has other bytes.
   */
  readonly encoded?: readonly EncodedBlob[];
  /** Where the client can read the bytes itself; `null`: nowhere. */
  readonly redirect?: () => Promise<PresignedObject | null>;
  /** Opens the bytes of the blob, and translates errors. */
  readonly opening?: <R>(open: () => Promise<R>) => Promise<R>;
}

/** An object; its body is `null` when only its headers are asked for. */
type OpenedObject = StoredObject | (ObjectState & { readonly body: null });

/** Headers that describe the bytes, set here or by the caller. */
const DESCRIBING = ['ETag', 'Content-Length', 'Content-Encoding', 'Content-Type', 'Content-Disposition'];

/**
 * Sends blobs as responses, and nothing that is known to be wrong. The length of what is stored is compared before each
 * response, the content at the first download of each version of an object in a process and day: on the way up to 8 MiB, by
 * the scrubber above.
 */
@Injectable()
export class BlobDownloads {
  /** Versions of objects that were verified today, or that the scrubber verifies: see `versionKey`. */
  private readonly verified = new RecentIds(DAY);

  constructor(
    private readonly storage: ObjectStorage,
    private readonly checks: BlobChecksService,
    private readonly reports: DamageReports,
    private readonly queue: ScrubQueue,
  ) {}

  /**
   * Streams a blob: with its length, its SHA-256 as `ETag`, and 304 when the client has it already. The whole blob is sent,
   * also to a client that asks for a range of it: it may (RFC 9110, section 14.2).
   *
   * @param headers further headers; `Content-Type` and `Cache-Control` among them
   * @returns the bytes that were sent, or that a redirect leads to; `null` when that was not all of them, when nothing had to
   *   be sent, or when a part of them was requested by a redirect
   * @throws DamagedFileError when the stored bytes are others, or gone; nothing was sent then
   */
  async send(
    response: Response,
    blob: DownloadedBlob,
    headers: Readonly<Record<string, string>>,
    { encoded = [], redirect, opening }: SendOptions = {},
  ): Promise<number | null> {
    const before = Object.keys(headers).map((name) => [name, response.getHeader(name)] as const);
    try {
      for (const form of [...encoded, plainForm(blob)]) {
        const isPlain = form.encoding === null;
        response.set({ ...headers, ETag: etagOf(blob, form) });
        if (response.req.fresh) {
          response.status(304).end();
          return null;
        }
        if (blob.damagedAt !== null) break;
        describe(response, form);
        if (isPlain && response.req.method !== 'HEAD') {
          const object = (await redirect?.()) ?? null;
          if (object !== null) return this.redirect(response, blob, object);
        }
        const object = await this.open(response, blob, form, isPlain ? opening : undefined);
        if (object === undefined) continue;
        if (object.body === null) {
          response.end();
          return null;
        }
        const sent = await this.stream(response, blob, form, object);
        if (sent !== undefined) return sent;
      }
      throw new DamagedFileError();
    } catch (error) {
      // What describes the bytes must not describe the error that is sent instead.
      if (!response.headersSent) restore(response, before);
      throw error;
    }
  }

  private redirect(
    response: Response,
    blob: DownloadedBlob,
    { address, version }: PresignedObject,
  ): number | null {
    for (const name of DESCRIBING) response.removeHeader(name);
    response.set({ 'Cache-Control': 'private, no-store', Location: address });
    response.status(302).end();
    const key = versionKey(blob.id, version);
    if (!this.verified.has(key) && this.queue.add(blob.id)) this.verified.add(key);
    return response.req.headers.range === undefined ? blob.sizeInBytes : null;
  }

  /** @returns `undefined`: the object is missing or has another length, which is reported; a body of `null` is not to be sent */
  private async open(
    { req }: Response,
    blob: DownloadedBlob,
    { objectId, sizeInBytes, encoding }: Form,
    opening: SendOptions['opening'] = (open) => open(),
  ): Promise<OpenedObject | undefined> {
    const isHead = req.method === 'HEAD';
    const open = async (): Promise<OpenedObject> =>
      isHead
        ? { body: null, ...(await this.storage.stat(keyOf(objectId))) }
        : this.storage.get(keyOf(objectId));
    const found = await opening(open).catch((error: unknown) => {
      if (error instanceof ObjectNotFoundError) return undefined;
      throw error;
    });
    if (found?.sizeInBytes === sizeInBytes) return found;
    found?.body?.destroy();
    if (encoding === null) await this.reports.reportBlob(blob.id, 'absent');
    else await this.reports.reportVariant(objectId);
    return undefined;
  }

  /** @returns as `send`; `undefined`: the bytes are others, and none of them was sent */
  private async stream(
    response: Response,
    blob: DownloadedBlob,
    form: Form,
    { body, version }: StoredObject,
  ): Promise<number | null | undefined> {
    const key = versionKey(form.objectId, version);
    const content = new ExactBody(form.sizeInBytes, this.checksumToCompare(blob, form, key));
    let isFinished = false;
    response.once('finish', () => (isFinished = true));
    try {
      connect(body, content, () => undefined);
      // Until the first bytes have passed, an error can be sent.
      await once(content, 'readable');
      await pipeline(content, response);
    } catch (error) {
      if (!(content.errored instanceof DamagedFileError)) {
        if (!isPrematureClose(error)) throw error;
      } else {
        if (form.encoding === null) await this.reports.reportBlob(blob.id, 'changed');
        else await this.reports.reportVariant(form.objectId);
        if (!response.headersSent && !response.destroyed) return undefined;
      }
    }
    if (content.isVerified) {
      this.verified.add(key);
      this.checks.countRead(null);
    }
    return isFinished ? form.sizeInBytes : null;
  }

  /** @returns `null`: this version was compared today, or the scrubber compares it */
  private checksumToCompare(
    { id }: DownloadedBlob,
    { sha256, sizeInBytes }: Form,
    key: string,
  ): string | null {
    if (this.verified.has(key)) return null;
    if (sizeInBytes <= MAX_VERIFIED_BY_REQUEST && sha256 !== null) return sha256;
    if (this.queue.add(id)) this.verified.add(key);
    return null;
  }
}

/** Names what a verification was about: an object that is written again afterwards is verified again. */
function versionKey(objectId: string, version: string): string {
  return `${objectId} ${version}`;
}

function restore(
  response: Response,
  headers: readonly (readonly [string, number | string | string[] | undefined])[],
): void {
  for (const [name, value] of headers) {
    if (value === undefined) response.removeHeader(name);
    else response.setHeader(name, value);
  }
  for (const name of DESCRIBING) response.removeHeader(name);
}
