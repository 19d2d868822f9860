import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reply } from '../../stand-in/reply.ts';
import { serveCall } from '../../stand-in/serve-call.ts';
import type { FaultTime } from '../../stand-in/faults.ts';
import { StandIn } from '../../stand-in/stand-in.ts';
import type { BuildUploadFile, UploadOperation } from '../state/uploads.ts';

/** The headers of a request that came with what it must not have. */
export interface Leak {
  readonly path: string;
  readonly authorization: string;
}

/** What a fault does to a part. */
interface PartFault {
  /** Ends the connection after so many bytes. */
  readonly cutAfterBytes: number;
}

/** How the storage refuses parts, whatever they are. */
const REFUSALS = {
  AccessDenied: [403, 'Request has expired'],
  NoSuchUpload: [404, 'The upload was completed or has ended.'],
  RequestTimeout: [400, 'Your socket connection to the server was not read from or written to in time.'],
  SlowDown: [503, 'Please reduce your request rate.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
} as const;

/**
 * Where the parts of files go: a storage on an address of its own, which knows nothing of the keys of the API. It answers as
 * Amazon S3 does, to which Apple's addresses of uploads lead: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export class UploadStorage extends StandIn<'putPart', PartFault> {
  readonly files = new Map<string, BuildUploadFile>();
  /** Requests with `Authorization`. */
  readonly leaks: Leak[] = [];
  /** Of one part, in bytes. */
  partSize = 8 * 1024 * 1024;
  /** How long addresses of parts are valid. */
  seconds = 3600;
  private folder: Promise<string> | undefined;
  private path = '';

  constructor(server: Server) {
    super(server, async (request, response) => {
      const url = new URL(request.url ?? '', this.url);
      const exchange = { call: 'putPart', request, response, url, body: undefined } as const;
      await serveCall(this, exchange, (fault) => this.put(request, url, fault?.cutAfterBytes));
    });
  }

  /** How a file is sent. */
  async operationsFor(id: string, size: number): Promise<UploadOperation[]> {
    this.path = await (this.folder ??= mkdtemp(join(tmpdir(), 'app-store-connect-')));
    await writeFile(this.pathOf(id), '');
    const expiration = new Date(Date.now() + this.seconds * 1000).toISOString();
    return Array.from({ length: Math.ceil(size / this.partSize) }, (_, index) => {
      const offset = index * this.partSize;
      const signature = randomBytes(16).toString('hex');
      return {
        method: 'PUT',
        url: `${this.url}/assets/${id}?partNumber=${index + 1}&X-Amz-Signature=${signature}`,
        offset,
        length: Math.min(this.partSize, size - offset),
        partNumber: index + 1,
        requestHeaders: [
          { name: 'Content-Type', value: 'application/octet-stream' },
          { name: 'X-Part-Token', value: randomBytes(8).toString('hex') },
        ],
        expiration,
        entityTag: null,
      };
    });
  }

  pathOf(id: string): string {
    return join(this.path, id);
  }

  async hash(id: string): Promise<string> {
    const sum = createHash('sha256');
    for await (const part of createReadStream(this.pathOf(id))) sum.update(part as Buffer);
    return sum.digest('hex');
  }

  async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { force: true });
  }

  /** The storage refuses a part. */
  refuse(code: keyof typeof REFUSALS, time: FaultTime<'putPart'> = {}): void {
    const [status, message] = REFUSALS[code];
    this.faults.add({ refuse: () => failed(status, code, message) }, time);
  }

  /** The connection of a part ends after so many bytes. */
  interrupt(cutAfterBytes: number, time: FaultTime<'putPart'> = {}): void {
    this.faults.add({ special: { cutAfterBytes } }, time);
  }

  /** All addresses of parts end. */
  expireOperations(): void {
    for (const file of this.files.values()) {
      const expiration = new Date(Date.now() - 1000).toISOString();
      Object.assign(file, { operations: file.operations.map((one) => ({ ...one, expiration })) });
    }
  }

  /** Removes all files. */
  async clear(): Promise<void> {
    this.reset();
    this.files.clear();
    this.leaks.length = 0;
    this.partSize = 8 * 1024 * 1024;
    this.seconds = 3600;
    if (this.folder !== undefined) await rm(await this.folder, { recursive: true, force: true });
    this.folder = undefined;
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.clear();
  }

  private async put(request: IncomingMessage, url: URL, cutAfterBytes = Infinity): Promise<Reply> {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      this.leaks.push({ path: url.pathname, authorization });
      return failed(400, 'InvalidArgument', 'Only one auth mechanism allowed.');
    }
    const file = this.files.get(url.pathname.split('/')[2] ?? '');
    if (file === undefined) return failed(404, 'NoSuchUpload', 'The upload does not exist.');
    const operation = file.operations.find((one) => one.url === url.href);
    if (operation === undefined)
      return failed(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
    const problem = problemOf(request, file, operation);
    if (problem !== null) return problem;
    const received = await this.receive(request, file.id, operation, cutAfterBytes);
    if (received !== operation.length) return failed(400, 'IncompleteBody', 'The body is too short.');
    file.received.add(operation.partNumber);
    return { status: 200, headers: { ETag: `"${randomBytes(16).toString('hex')}"` } };
  }

  private async receive(
    request: IncomingMessage,
    id: string,
    { offset }: UploadOperation,
    cutAfterBytes: number,
  ): Promise<number> {
    const file = await open(this.pathOf(id), 'r+');
    let at = offset;
    try {
      for await (const part of request as AsyncIterable<Buffer>) {
        const bytes = part.subarray(0, offset + cutAfterBytes - at);
        await file.write(bytes, 0, bytes.length, at);
        at += bytes.length;
        if (at - offset >= cutAfterBytes) request.socket.destroy();
      }
    } catch {
      // The connection ended.
    } finally {
      await file.close();
    }
    return at - offset;
  }
}

function problemOf(
  request: IncomingMessage,
  file: BuildUploadFile,
  operation: UploadOperation,
): Reply | null {
  if (file.state !== 'AWAITING_UPLOAD')
    return failed(404, 'NoSuchUpload', 'The upload was completed or has ended.');
  if (Date.parse(operation.expiration) <= Date.now())
    return failed(403, 'AccessDenied', 'Request has expired');
  if (request.method !== operation.method)
    return failed(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.');
  const wrong = operation.requestHeaders.find(
    ({ name, value }) => request.headers[name.toLowerCase()] !== value,
  );
  if (wrong !== undefined)
    return failed(403, 'SignatureDoesNotMatch', `The header ${wrong.name} is not the one that was signed.`);
  const length = request.headers['content-length'];
  if (length === undefined)
    return failed(411, 'MissingContentLength', 'You must provide the Content-Length HTTP header.');
  return Number(length) === operation.length
    ? null
    : failed(400, 'EntityTooLarge', `The part has ${operation.length} bytes, and not ${length}.`);
}

function failed(status: number, code: string, message: string): Reply {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { 'Content-Type': 'application/xml' }, body };
}
