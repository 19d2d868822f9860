import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { ForbiddenError } from '../../common/errors/app-error.js';
import { deriveKey } from '../../common/secrets/derive-key.js';
import { Config, encryptionKeyOf } from '../../config/config.js';
import type { BuildShare } from '../build-shares/build-share.entity.js';
import { SIGNED_FOR } from '../build-artifacts/signed-downloads.service.js';

/** How long an address of the store works, in seconds: a share that ends cannot end it. */
const REDIRECTED_FOR = 60;
/** Represents the icon where the id of an artifact is signed. */
export const ICON = 'icon';

/** The parameters of a signed address. */
export interface Signed {
  readonly expiresAt?: number;
  readonly signature?: string;
}

/** Where the files of a share are. */
export interface ShareAddresses {
  /** Path and query of a file. @param file id of an artifact, or `ICON` */
  readonly pathOf: (file: string) => string;
  /** Path and query of a file, signed for a short time in any case: it is passed on to other programs. */
  readonly signedPathOf: (file: string) => string;
  /** Until when those of `pathOf` work; `null`: as long as the share. */
  readonly expireAt: Date | null;
}

/**
 * The addresses of the files of shares. They carry the id of the share, whose row is read for each request. Those of a share
 * with a password are signed besides, for a short time, and with the hash of the password.
 */
@Injectable()
export class ShareAddressesService {
  private readonly key: Buffer;

  constructor(config: Config) {
    this.key = deriveKey(encryptionKeyOf(config), 'build shares');
  }

  /** For those who may see the share. */
  of({ id, passwordHash, expiresAt }: BuildShare): ShareAddresses {
    const pathFrom = (file: string): string =>
      `/v1/app-build-shares/${id}/${file === ICON ? ICON : `artifacts/${file}/download`}`;
    const end = databaseNow(SIGNED_FOR);
    const expireAt = expiresAt !== null && expiresAt < end ? expiresAt : end;
    const time = expireAt.getTime();
    const signatureOf = (file: string): string =>
      signFile(this.key, { shareId: id, file, expiresAt: time, passwordHash });
    const signedPathOf = (file: string): string =>
      `${pathFrom(file)}?expiresAt=${time}&signature=${signatureOf(file)}`;
    return passwordHash === null
      ? { pathOf: pathFrom, signedPathOf, expireAt: null }
      : { pathOf: signedPathOf, signedPathOf, expireAt };
  }

  /**
   * Checks the address of a request.
   *
   * @throws ForbiddenError when the share has a password, and the address was not signed with it; when it was signed too long
   *   ago, also without a password
   */
  require({ id, passwordHash }: BuildShare, file: string, query: Signed): void {
    if (passwordHash === null && query.signature === undefined) return;
    const { expiresAt = 0, signature = '' } = query;
    const signed = { shareId: id, file, expiresAt, passwordHash };
    if (isFileSigned(this.key, signed, signature, databaseNow().getTime())) return;
    const page = passwordHash === null ? 'again' : 'and type its password';
    const message = `This address does not work any more: open the page of the share ${page}.`;
    throw new ForbiddenError(message, 'share_locked');
  }

  /** Seconds until an address of the store ends that a request is redirected to. */
  redirectSeconds({ expiresAt: shareEnd }: BuildShare, { expiresAt, signature }: Signed): number {
    const ends = [shareEnd?.getTime(), signature === undefined ? undefined : expiresAt];
    const left = ends.map((end) => (end === undefined ? Infinity : (end - databaseNow().getTime()) / 1000));
    return Math.max(1, Math.ceil(Math.min(REDIRECTED_FOR, ...left)));
  }
}

/** What a signed address of a share opens. */
export interface SignedFile {
  readonly shareId: string;
  /** Id of the artifact, or `icon`. */
  readonly file: string;
  /** In Unix milliseconds. */
  readonly expiresAt: number;
  /** Hash of the password that the share has now: another password ends the address. `null`: it has none. */
  readonly passwordHash: string | null;
}

/** Signs an address of a file, which then needs no password until it expires. @returns 64 hexadecimal digits */
export function signFile(key: Buffer, { shareId, file, expiresAt, passwordHash }: SignedFile): string {
  const text = JSON.stringify(['share-download', shareId, file, expiresAt, passwordHash]);
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Whether the signature was made for this file, time and password, and the time has not passed. */
export function isFileSigned(key: Buffer, signed: SignedFile, signature: string, now: number): boolean {
  const expected = Buffer.from(signFile(key, signed));
  const actual = Buffer.from(signature);
  return now < signed.expiresAt && actual.length === expected.length && timingSafeEqual(actual, expected);
}
