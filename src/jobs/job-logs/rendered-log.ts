import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { sentTagPrefix } from '../../common/etags/version.js';
import { isPrematureClose } from '../../common/http/is-premature-close.js';
import type { JobLogDto } from './job-log.dto.js';

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

/** What `sendWithLogs` recognizes. */
const rendered = new WeakMap<readonly JobLogDto[], RenderedLog>();

/** A log as it is sent: the JSON is made once, not for each reader. */
export class RenderedLog {
  /** Stands for the log in a body, and is empty: `sendWithLogs` puts the chunks there. */
  readonly placeholder: readonly JobLogDto[] = [];
  readonly sizeInBytes: number;

  /**
   * @param lastNumber the number of the newest chunk; 0: there is none
   * @param json the members of the array in JSON, with commas. Never changed: a reader may be sending it
   */
  constructor(
    readonly lastNumber: number,
    readonly json: readonly Buffer[],
  ) {
    this.sizeInBytes = json.reduce((sum, { length }) => sum + length, OVERHEAD);
    rendered.set(this.placeholder, this);
  }

  static readonly EMPTY = new RenderedLog(0, []);

  /** The log after some more chunks. */
  with(chunks: readonly JobLogDto[]): RenderedLog {
    const lastNumber = chunks.at(-1)?.number;
    if (lastNumber === undefined) return this;
    const text = JSON.stringify(chunks).slice(1, -1);
    const added = Buffer.from(this.json.length === 0 ? text : `,${text}`);
    return new RenderedLog(lastNumber, withPiece(this.json, added));
  }

  /** A log in storage. @param pieces the members of its array */
  static async fromArchive(lastNumber: number, pieces: AsyncIterable<Buffer>): Promise<RenderedLog> {
    const json: Buffer[] = [];
    for await (const piece of pieces) json.push(piece);
    return new RenderedLog(lastNumber, json);
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
  const parts: Buffer[] = [Buffer.from(head)];
  tails.forEach((tail, index) => parts.push(OPEN, ...(logs[index]?.json ?? []), CLOSE, Buffer.from(tail)));
  const numbers = logs.map(({ lastNumber }) => lastNumber);
  const version = JSON.stringify([head, ...tails, ...numbers, response.get('X-Total-Count')]);
  if (isKnown(request, response, version)) return;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  response.setHeader('Content-Length', length);
  if (request.method === 'HEAD') response.end();
  else if (length <= AT_ONCE) response.end(Buffer.concat(parts));
  else await sendPieces(response, parts);
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
async function sendPieces(response: Response, pieces: readonly Buffer[]): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), response);
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  }
}
