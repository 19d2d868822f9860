import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GoogleError, invalid, notFound } from '../google-error.ts';
import type { Reply } from '../../stand-in/reply.ts';

/** Chunks but the last one are multiples of it; what is beyond is dropped. */
const GRID = 256 * 1024;

/** What becomes of a complete upload. @returns the body of the response; @throws GoogleError */
export type Finish = (file: { path: string; sha1: string; sha256: string }) => Promise<object>;

/** A resumable upload. */
export interface UploadSession {
  readonly id: string;
  readonly size: number;
  received: number;
  /** What the last byte led to; it is repeated from then on. */
  result: Reply | null;
  /** Fails when the edit of the upload ended. @throws GoogleError */
  readonly check: () => void;
  readonly finish: Finish;
  /** The file of what was received. */
  readonly path: string;
}

/** What a fault does to a chunk. */
export interface ChunkFault {
  /** Keeps only so many of the sent bytes. */
  readonly keepBytes?: number;
  /** Ends the connection after so many bytes. */
  readonly cutAfterBytes?: number;
}

/**
 * Resumable uploads: https://developers.google.com/android-publisher/upload#resumable, with the details of
 * https://developers.google.com/drive/api/guides/manage-uploads#resumable
 */
export class Uploads {
  private readonly sessions = new Map<string, UploadSession>();
  private folder: Promise<string> | undefined;

  /** `POST …?uploadType=resumable`. @returns the session, of which the address is the id */
  async start(
    request: IncomingMessage,
    types: readonly string[],
    check: () => void,
    finish: Finish,
  ): Promise<UploadSession> {
    const type = request.headers['x-upload-content-type'];
    if (typeof type !== 'string' || !types.includes(type)) {
      throw invalid(
        `Media type '${String(type)}' is not supported. Valid media types: [${types.join(', ')}]`,
      );
    }
    const size = Number(request.headers['x-upload-content-length'] ?? NaN);
    if (!Number.isSafeInteger(size) || size < 1) throw invalid('Invalid value of X-Upload-Content-Length.');
    const id = `ABPtcP${randomBytes(24).toString('base64url')}`;
    const path = join(await this.makeFolder(), id);
    await writeFile(path, '');
    const session = { id, size, received: 0, result: null, check, finish, path };
    this.sessions.set(id, session);
    return session;
  }

  /** All addresses of uploads become unknown. */
  forget(): void {
    this.sessions.clear();
  }

  /** `PUT` of a chunk, or of `Content-Range: bytes * /n`, which asks how far the upload is. */
  async put(request: IncomingMessage, id: string, fault: ChunkFault = {}): Promise<Reply> {
    const session = this.sessions.get(id);
    if (session === undefined) throw notFound('The upload session was not found, or it has expired.');
    if (session.result !== null) return session.result;
    const range = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(request.headers['content-range'] ?? '');
    if (range === null) throw invalid('Failed to parse Content-Range header.');
    const [, from, to, total] = range;
    if (total !== '*' && Number(total) !== session.size)
      throw invalid('The total size of the upload changed.');
    session.check();
    if (from === undefined || to === undefined) return progress(session);
    const first = Number(from);
    if (Number(to) < first || Number(to) >= session.size) throw invalid('Invalid Content-Range header.');
    // A gap: https://github.com/googleapis/google-resumable-media-python, the server answers 503.
    if (first > session.received) throw new GoogleError(503, 'UNAVAILABLE', 'Backend Error');
    await this.receive(request, session, first, Number(to) - first + 1, fault);
    return session.received < session.size ? progress(session) : this.complete(session);
  }

  /** Removes all files. */
  async clear(): Promise<void> {
    this.sessions.clear();
    if (this.folder !== undefined) await rm(await this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  private async receive(
    request: IncomingMessage,
    session: UploadSession,
    first: number,
    length: number,
    { keepBytes = Infinity, cutAfterBytes = Infinity }: ChunkFault,
  ): Promise<void> {
    let at = first;
    const file = await open(session.path, 'r+');
    const limit = first + Math.min(keepBytes, cutAfterBytes, length);
    try {
      for await (const part of request as AsyncIterable<Buffer>) {
        const bytes = part.subarray(0, Math.max(0, limit - at));
        if (bytes.length > 0) await file.write(bytes, 0, bytes.length, at);
        at += bytes.length;
        if (at - first >= cutAfterBytes) request.socket.destroy();
      }
    } catch {
      // The connection ended: what came counts.
    } finally {
      await file.close();
    }
    const isLast = at === session.size;
    session.received = Math.max(session.received, isLast ? at : at - (at % GRID));
  }

  private async complete(session: UploadSession): Promise<Reply> {
    const [sha1, sha256] = await Promise.all([hash(session.path, 'sha1'), hash(session.path, 'sha256')]);
    try {
      const { path } = session;
      session.result = { status: 200, body: await session.finish({ path, sha1, sha256 }) };
    } catch (error) {
      if (!(error instanceof GoogleError)) throw error;
      session.result = { status: error.code, body: error.body, headers: error.headers };
    }
    await rm(session.path, { force: true });
    return session.result;
  }

  private makeFolder(): Promise<string> {
    return (this.folder ??= mkdtemp(join(tmpdir(), 'google-play-')));
  }
}

function progress({ received }: UploadSession): Reply {
  return { status: 308, headers: received === 0 ? {} : { Range: `bytes=0-${received - 1}` } };
}

async function hash(path: string, algorithm: string): Promise<string> {
  const sum = createHash(algorithm);
  for await (const part of createReadStream(path)) sum.update(part as Buffer);
  return sum.digest('hex');
}
