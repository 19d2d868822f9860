import { createHash, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { sentTagPrefix } from '../../common/etags/version.js';
import type { JobLogDto } from './job-log.dto.js';

/** Marks the place of a log in a body: no text of a user can be the same. */
const MARK = `log ${randomUUID()} `;
const MARKS = new RegExp(`"${MARK}\\d+"`);
const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

/** What memory an entry takes besides its text, about, in bytes. */
const OVERHEAD = 400;

/** What `sendWithLogs` recognizes. */
const rendered = new WeakMap<readonly JobLogDto[], RenderedLog>();

/** A log as it is sent: the JSON is made once, not for each reader. */
export class RenderedLog {
  /** The same, as values. Never changed: a reader may be sending it. */
  readonly entries: readonly JobLogDto[];
  /** The members of the array in JSON, with commas. */
  readonly json: readonly Buffer[];
  readonly sizeInBytes: number;

  private constructor(entries: readonly JobLogDto[], json: readonly Buffer[]) {
    this.entries = entries;
    this.json = json;
    this.sizeInBytes = json.reduce((sum, { length }) => sum + 3 * length, entries.length * OVERHEAD);
    rendered.set(entries, this);
  }

  static readonly EMPTY = new RenderedLog([], []);

  /** The number of the newest chunk; 0 when there is none. */
  get lastNumber(): number {
    return this.entries.at(-1)?.number ?? 0;
  }

  /** The log after some more chunks. */
  with(chunks: readonly JobLogDto[]): RenderedLog {
    if (chunks.length === 0) return this;
    const text = JSON.stringify(chunks).slice(1, -1);
    const added = Buffer.from(this.json.length === 0 ? text : `,${text}`);
    return new RenderedLog([...this.entries, ...chunks], [...this.json, added]);
  }
}

/**
 * Sends a body that may contain the entries of rendered logs anywhere. It is what `JSON.stringify` would make of it, but
 * the logs are not rendered again for each reader.
 */
export function sendWithLogs(request: Request, response: Response, body: unknown): void {
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
  response.set({
    ETag: `"${sentTagPrefix(response)}${createHash('sha256').update(version).digest('base64url').slice(0, 27)}"`,
    'Cache-Control': 'private, no-cache',
    'Content-Type': 'application/json; charset=utf-8',
  });
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  response.setHeader(
    'Content-Length',
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  for (const part of parts) response.write(part);
  response.end();
}
