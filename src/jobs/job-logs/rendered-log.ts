import { createHash, randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { sentTagPrefix } from '../../common/etags/version.js';
import { isPrematureClose } from '../../common/http/is-premature-close.js';
import type { JobLogDto } from './job-log.dto.js';
import { TimeSlices } from './time-slices.js';

/** Marks the place of a log in a body: no text of a user can be the same. */
const MARK = `log ${randomUUID()} `;
const MARKS = new RegExp(`"${MARK}\\d+"`);
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** What memory a log takes besides its text, about, in bytes. */
const OVERHEAD = 400;
/** Smaller pieces of a log are joined, in bytes: a log can have hundreds of thousands of chunks. */
const PIECE = 262_144;
/** Larger bodies are sent piece by piece, as the client takes them, in bytes. */
const AT_ONCE = 1_048_576;
/** A log in storage that is longer is not kept in memory, but read for each reader, in bytes: by default, none is. */
const KEPT = 8_388_608;

/** Reads a log piece by piece: the members of its array in JSON, with commas. */
export type ReadLog = () => AsyncIterable<Buffer>;

/** What `sendWithLogs` recognizes. */
const rendered = new WeakMap<readonly JobLogDto[], RenderedLog>();

/** A log as it is sent: the JSON is made once, not for each reader. */
export class RenderedLog {
  /** Stands for the log in a body, and is empty: `sendWithLogs` puts the chunks there. */
  readonly placeholder: readonly JobLogDto[] = [];
  readonly sizeInBytes: number;

  /**
   * @param lastNumber the number of the newest chunk; 0: there is none
   * @param json the members of the array in JSON, with commas, which are never changed, because a reader may be sending
   *   them; or what reads them, of a log that is too long to be kept
   */
  private constructor(
    readonly lastNumber: number,
    private readonly json: readonly Buffer[] | ReadLog,
  ) {
    this.sizeInBytes = OVERHEAD + (this.length ?? 0);
    rendered.set(this.placeholder, this);
  }

  static readonly EMPTY = new RenderedLog(0, []);

  /** A log in storage. */
  static async fromArchive(lastNumber: number, read: ReadLog): Promise<RenderedLog> {
    const json: Buffer[] = [];
    let length = 0;
    for await (const piece of read()) {
      json.push(piece);
      length += piece.length;
      if (length > KEPT) return new RenderedLog(lastNumber, read);
    }
    return new RenderedLog(lastNumber, json);
  }

  /** Bytes of JSON; `null`: it is not kept. */
  get length(): number | null {
    return typeof this.json === 'function' ? null : this.json.reduce((sum, { length }) => sum + length, 0);
  }

  /** The members of the array in JSON, with commas. */
  pieces(): Iterable<Buffer> | AsyncIterable<Buffer> {
    return typeof this.json === 'function' ? this.json() : this.json;
  }

  /** The log after some more chunks. @throws Error when it is not kept */
  with(chunks: readonly JobLogDto[]): RenderedLog {
    if (typeof this.json === 'function') throw new Error('Only a log that is kept can grow.');
    const lastNumber = chunks.at(-1)?.number;
    if (lastNumber === undefined) return this;
    const text = JSON.stringify(chunks).slice(1, -1);
    const added = Buffer.from(this.json.length === 0 ? text : `,${text}`);
    return new RenderedLog(lastNumber, withPiece(this.json, added));
  }
}

function withPiece(pieces: readonly Buffer[], added: Buffer): readonly Buffer[] {
  const last = pieces.at(-1);
  if (last === undefined || last.length >= PIECE) return [...pieces, added];
  return [...pieces.slice(0, -1), Buffer.concat([last, added])];
}

/**
 * Sends a body that may contain the placeholders of rendered logs anywhere. It is what `JSON.stringify` would make of it, but
 * the logs are not rendered again for each reader.
 */
export async function sendWithLogs(request: Request, response: Response, body: unknown): Promise<void> {
  const logs: RenderedLog[] = [];
  const marked = JSON.stringify(body, (_, value: unknown) => {
    const log = Array.isArray(value) ? rendered.get(value as JobLogDto[]) : undefined;
    if (log === undefined) return value;
    logs.push(log);
    return `${MARK}${logs.length - 1}`;
  });
  const [head = '', ...tails] = marked.split(MARKS);
  const parts: (Buffer | RenderedLog)[] = [Buffer.from(head)];
  tails.forEach((tail, index) => parts.push(OPEN, logs[index] as RenderedLog, CLOSE, Buffer.from(tail)));
  const numbers = logs.map(({ lastNumber }) => lastNumber);
  const version = JSON.stringify([head, ...tails, ...numbers, response.get('X-Total-Count')]);
  if (isKnown(request, response, version)) return;
  const length = parts.reduce<number | null>(
    (sum, part) => (sum === null || part.length === null ? null : sum + part.length),
    0,
  );
  if (length !== null) response.setHeader('Content-Length', length);
  if (request.method === 'HEAD') response.end();
  else if (length !== null && length <= AT_ONCE)
    response.end(Buffer.concat(await Array.fromAsync(joined(parts))));
  else await sendPieces(response, joined(parts));
}

/** The bytes of all parts in pieces of some size. Others run in between, also when the client takes them at once. */
async function* joined(parts: readonly (Buffer | RenderedLog)[]): AsyncGenerator<Buffer> {
  const slices = new TimeSlices();
  let pending: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    for await (const piece of part instanceof RenderedLog ? part.pieces() : [part]) {
      pending.push(piece);
      size += piece.length;
      if (size < PIECE) continue;
      yield pending.length === 1 ? piece : Buffer.concat(pending);
      pending = [];
      size = 0;
      await slices.pause();
    }
  }
  if (size > 0) yield Buffer.concat(pending);
}

/** Sends the JSON of a body that a version identifies: it is made only for a client that does not have it. */
export async function sendVersion(
  request: Request,
  response: Response,
  version: string,
  make: () => Promise<unknown>,
): Promise<void> {
  if (isKnown(request, response, version)) return;
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    const body = Buffer.from(JSON.stringify(await make()));
    response.setHeader('Content-Length', body.length);
    response.end(body);
  } catch (error) {
    // The response about the error is another one.
    response.removeHeader('ETag');
    response.removeHeader('Cache-Control');
    throw error;
  }
}

/** Sets the tag of a response. @returns whether the client has the body: then the response has ended */
function isKnown(request: Request, response: Response, version: string): boolean {
  const hash = createHash('sha256').update(version).digest('base64url').slice(0, 27);
  response.set({
    ETag: `"${sentTagPrefix(response)}${hash}"`,
    'Cache-Control': 'private, no-cache',
    'Content-Type': 'application/json; charset=utf-8',
  });
  if (!request.fresh) return false;
  response.status(304).end();
  return true;
}

/** Sends pieces as the client takes them. A client that leaves early is no error. */
async function sendPieces(response: Response, pieces: AsyncGenerator<Buffer>): Promise<void> {
  try {
    // What cannot be read at all fails before the response has begun.
    const first = await pieces.next();
    const all = async function* (): AsyncGenerator<Buffer> {
      if (first.done !== true) yield first.value;
      yield* pieces;
    };
    await pipeline(all, response);
  } catch (error) {
    if (isPrematureClose(error)) return;
    // The response about the error is another one.
    if (!response.headersSent) response.removeHeader('ETag');
    throw error;
  } finally {
    // Closes what it reads from.
    await pieces.return(undefined);
  }
}
