import { createHmac, timingSafeEqual } from 'node:crypto';
import { hashToken } from '../../common/access/api-token.js';
import { deriveKey } from '../../common/secrets/derive-key.js';
import { isUuid } from '../../common/validation/uuid.js';

const PREFIX = 'slj_';
const MAC_BYTES = 32;
const pattern = /^slj_[A-Za-z0-9_-]{86}$/;

/** What a job token says about itself. A class only so that decorated handlers can name it at run time. */
export abstract class LeaseTokenContent {
  abstract readonly leaseId: string;
  abstract readonly jobId: string;
}

/** A job token, and what is stored of it. */
export interface LeaseToken {
  readonly token: string;
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string;
}

/** Makes and reads job tokens: `slj_` and the Base64url of the lease's id, the job's id and an HMAC of both. */
export class LeaseTokens {
  private readonly keys: readonly Buffer[];

  /** @param encryptionKeys the key that signs, then older ones; each 32 bytes in Base64 */
  constructor(encryptionKeys: readonly string[]) {
    this.keys = encryptionKeys.map((key) => deriveKey(key, 'job tokens'));
  }

  /** The token of a lease: always the same one, so that a repeated claim can be answered again. */
  make({ leaseId, jobId }: LeaseTokenContent): LeaseToken {
    const ids = bytesOf({ leaseId, jobId });
    const [key] = this.keys;
    if (key === undefined) throw new Error('An encryption key is required.');
    const token = PREFIX + Buffer.concat([ids, macOf(key, ids)]).toString('base64url');
    return { token, hash: hashToken(token) };
  }

  /** @returns the content, verified or not; `null`: the text is no job token */
  read(token: string): (LeaseTokenContent & { readonly isGenuine: boolean }) | null {
    if (!pattern.test(token)) return null;
    const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
    const ids = bytes.subarray(0, -MAC_BYTES);
    const mac = bytes.subarray(-MAC_BYTES);
    const leaseId = uuidOf(ids.subarray(0, 16));
    const jobId = uuidOf(ids.subarray(16));
    if (!isUuid(leaseId) || !isUuid(jobId)) return null;
    return { leaseId, jobId, isGenuine: this.keys.some((key) => timingSafeEqual(macOf(key, ids), mac)) };
  }
}

function macOf(key: Buffer, ids: Buffer): Buffer {
  return createHmac('sha256', key).update(ids).digest();
}

function bytesOf({ leaseId, jobId }: LeaseTokenContent): Buffer {
  return Buffer.from((leaseId + jobId).replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
