import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Instance, withInstance } from './instance.ts';
import { memory, resetPeak, time } from './measure.ts';

/**
 * `npm run bench:uploads`: how much memory the server takes while files stream through it, and how long that takes
 * compared with a plain copy of the same bytes by Node. docs/performance.md has the figures. Linux only.
 */

const MIB = 1024 * 1024;
const PART = 10 * MIB;
const UPLOADS = 100;

/** Resident memory, in MiB, that the server must stay below. */
const LIMIT = 300;

/** A file that is sent without ever being in memory: one buffer, again and again, with a number in front. */
interface Content {
  readonly size: number;
  readonly sha256: string;
  chunks(start?: number, end?: number): Generator<Buffer>;
}

const block = randomBytes(MIB);

function content(size: number, number: number): Content {
  const head = Buffer.from(`${number}`.padStart(16));
  function* chunks(start = 0, end = size): Generator<Buffer> {
    for (let at = start; at < end;) {
      const offset = at % MIB;
      const chunk = at < head.length ? head.subarray(at) : block.subarray(offset, offset + 64 * 1024);
      const piece = chunk.subarray(0, end - at);
      yield piece;
      at += piece.length;
    }
  }
  return described(size, chunks);
}

function described(size: number, chunks: Content['chunks']): Content {
  const hash = createHash('sha256');
  for (const chunk of chunks()) hash.update(chunk);
  return { size, sha256: hash.digest('hex'), chunks };
}

/** A zip that holds a file as it is, and an empty `index.html`. */
function zipped(file: Content): Content {
  let sum = 0;
  for (const chunk of file.chunks()) sum = crc32(chunk, sum);
  const video = fieldsOfEntry('video.bin', sum, file.size);
  const index = fieldsOfEntry('index.html', 0, 0);
  const before = video.local;
  const indexAt = before.length + file.size;
  const directory = Buffer.concat([video.central(0), index.central(indexAt)]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(2, 8);
  end.writeUInt16LE(2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(indexAt + index.local.length, 16);
  const after = Buffer.concat([index.local, directory, end]);
  const size = indexAt + after.length;
  return described(size, function* chunks(from = 0, to = size) {
    yield before.subarray(from, Math.max(from, to));
    const within = (at: number): number => Math.min(Math.max(at - before.length, 0), file.size);
    yield* file.chunks(within(from), within(to));
    yield after.subarray(Math.max(from - indexAt, 0), Math.max(to - indexAt, 0));
  });
}

/** The two headers of a stored entry of a zip (APPNOTE, 4.3.7 and 4.3.12). */
function fieldsOfEntry(
  path: string,
  sum: number,
  size: number,
): { local: Buffer; central(at: number): Buffer } {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(10, 0);
  fields.writeUInt32LE(sum, 10);
  fields.writeUInt32LE(size, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(path.length, 22);
  const start = (signature: string): Buffer => Buffer.from(signature, 'hex');
  return {
    local: Buffer.concat([start('504b0304'), fields, Buffer.from(path)]),
    central: (at) => {
      const rest = Buffer.alloc(14);
      rest.writeUInt32LE(at, 10);
      return Buffer.concat([start('504b01021e03'), fields, rest, Buffer.from(path)]);
    },
  };
}

class Client {
  private readonly agent = new Agent({ keepAlive: true });

  private readonly origin: string;
  private readonly token: string;

  constructor(origin: string, token: string) {
    this.origin = origin;
    this.token = token;
  }

  async json<T>(method: string, path: string, body: object = {}): Promise<T> {
    const text = Buffer.from(JSON.stringify(body));
    const response = await this.send(method, path, 'application/json', text.length, [text]);
    return JSON.parse(await read(response)) as T;
  }

  /** Sends texts and one file as multipart. */
  async form<T>(method: string, path: string, texts: object, file?: FilePart): Promise<T> {
    const boundary = `----${randomBytes(12).toString('hex')}`;
    const parts = Object.entries(texts).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
    );
    const before = Buffer.from(
      file === undefined
        ? ''
        : `--${boundary}\r\nContent-Disposition: form-data; name="${file.name}"; filename="f"\r\n` +
            'Content-Type: application/octet-stream\r\n\r\n',
    );
    const after = Buffer.from(`\r\n${parts.join('')}--${boundary}--\r\n`);
    function* body(): Generator<Buffer> {
      yield before;
      if (file !== undefined) yield* file.chunks;
      yield after;
    }
    const length = before.length + (file?.size ?? 0) + after.length;
    const response = await this.send(
      method,
      path,
      `multipart/form-data; boundary=${boundary}`,
      length,
      body(),
    );
    return JSON.parse(await read(response)) as T;
  }

  async download(path: string): Promise<string> {
    const response = await this.send('GET', path, 'text/plain', 0, []);
    const hash = createHash('sha256');
    for await (const chunk of response) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  private send(
    method: string,
    path: string,
    type: string,
    length: number,
    body: Iterable<Buffer>,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${this.token}`,
        ...(method === 'GET' ? {} : { 'Content-Type': type, 'Content-Length': length }),
      };
      const request = httpRequest(this.origin + path, { method, agent: this.agent, headers }, resolve);
      request.on('error', reject);
      pipeline(Readable.from(body, { objectMode: false }), request).catch(reject);
    });
  }
}

interface FilePart {
  readonly name: string;
  readonly size: number;
  readonly chunks: Iterable<Buffer>;
}

async function read(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  if ((response.statusCode ?? 500) >= 300) throw new Error(`${response.statusCode} ${text}`);
  return text;
}

/** Seconds that Node takes to copy as many bytes from a file to another, hashing them, flushed at the end. */
async function copy(folder: string, bytes: number): Promise<number> {
  const source = join(folder, 'source');
  const target = join(folder, 'target');
  await pipeline(Readable.from(content(bytes, 0).chunks(), { objectMode: false }), createWriteStream(source));
  const hash = createHash('sha256');
  async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const seconds = await time(() =>
    pipeline(createReadStream(source), hashed, createWriteStream(target, { flush: true })),
  );
  await rm(source);
  await rm(target);
  return seconds;
}

/** The uploads and downloads that are measured. */
class Scenarios {
  private appPath = '';
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async prepare(): Promise<void> {
    const { id } = await this.client.json<{ id: string }>('POST', '/v1/apps', { name: 'Benchmark' });
    this.appPath = `/v1/apps/${id}`;
  }

  /** Many files, each in one request, all at once. */
  async files(contents: readonly Content[]): Promise<void> {
    const bundle = await this.bundle('manifest');
    await Promise.all(
      contents.map((file, i) =>
        this.client.form('POST', `${bundle}/files`, fieldsOf(file, `${i}.bin`), {
          name: 'file',
          size: file.size,
          chunks: file.chunks(),
        }),
      ),
    );
  }

  /** Many files, each in parts of 10 MiB, all parts at once. */
  async filesInParts(contents: readonly Content[]): Promise<void> {
    const bundle = await this.bundle('manifest');
    await Promise.all(contents.map((file, i) => this.fileInParts(bundle, file, `${i}.bin`, UPLOADS)));
  }

  /** One zip in parts, four of them at once, as the official CLI sends it, and published. @returns where it is served */
  async zip(file: Content): Promise<string> {
    const bundle = await this.bundle('zip');
    await this.fileInParts(bundle, file, undefined, 4);
    await this.client.json('PATCH', bundle, { artifactStatus: 'ready' });
    return `${bundle}/download`;
  }

  private async bundle(artifactType: string): Promise<string> {
    const path = `${this.appPath}/bundles`;
    return `${path}/${(await this.client.json<{ id: string }>('POST', path, { artifactType })).id}`;
  }

  private async fileInParts(
    bundle: string,
    file: Content,
    href: string | undefined,
    atOnce: number,
  ): Promise<void> {
    const { id } = await this.client.form<{ id: string }>('POST', `${bundle}/files`, fieldsOf(file, href));
    const upload = `${bundle}/files/${id}/upload`;
    const { uploadId } = await this.client.json<{ uploadId: string }>('POST', `${upload}?action=mpu-create`);
    const parts: { partNumber: number }[] = [];
    let next = 0;
    const sendParts = async (): Promise<void> => {
      while (next * PART < file.size) {
        const start = next++ * PART;
        const end = Math.min(start + PART, file.size);
        const path = `${upload}?action=mpu-uploadpart&uploadId=${uploadId}`;
        const texts = { partNumber: start / PART + 1 };
        const blob = { name: 'blob', size: end - start, chunks: file.chunks(start, end) };
        parts.push(await this.client.form<{ partNumber: number }>('PUT', path, texts, blob));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendParts));
    parts.sort((a, b) => a.partNumber - b.partNumber);
    await this.client.json('POST', `${upload}?action=mpu-complete&uploadId=${uploadId}`, { parts });
  }
}

function fieldsOf(file: Content, href: string | undefined): object {
  return {
    checksum: file.sha256,
    ...(href === undefined ? {} : { href }),
    mimeType: 'application/octet-stream',
    name: href ?? 'bundle.zip',
    sizeInBytes: file.size,
  };
}

async function measure({ server, origin, token, folder }: Instance): Promise<void> {
  const client = new Client(origin, token);
  const pid = server.process.pid ?? 0;
  const scenarios = new Scenarios(client);
  await scenarios.prepare();
  const results: object[] = [];
  let worst = 0;
  const report = async (what: string, bytes: number, work: () => Promise<unknown>): Promise<void> => {
    const copySeconds = await copy(folder, bytes);
    await resetPeak(pid);
    const before = await memory(pid, 'VmRSS');
    const seconds = await time(work);
    const peak = await memory(pid, 'VmHWM');
    worst = Math.max(worst, peak);
    results.push({
      what,
      'MB/s': Math.round(bytes / 1e6 / seconds),
      'times a copy': Number((seconds / copySeconds).toFixed(1)),
      'MiB before': before,
      'MiB peak': peak,
    });
    console.log(`${what}: ${seconds.toFixed(1)} s, peak ${peak} MiB`);
  };

  const small = Array.from({ length: UPLOADS }, (_, i) => content(PART - 1, i));
  await report(`${UPLOADS} files of 10 MB at once`, UPLOADS * PART, () => scenarios.files(small));
  const larger = Array.from({ length: UPLOADS / 4 }, (_, i) => content(4 * PART, UPLOADS + i));
  await report(`${UPLOADS} parts of 10 MB at once`, UPLOADS * PART, () => scenarios.filesInParts(larger));
  await rm(join(folder, 'storage/objects/blobs'), { recursive: true });
  const huge = zipped(content(1000 * MIB, 1000));
  await report('1 GB in parts, 4 at once', huge.size, () => scenarios.zip(huge));
  await rm(join(folder, 'storage/objects/blobs'), { recursive: true });
  const large = zipped(content(500_000_000, 1001));
  const path = await scenarios.zip(large);
  await report('download of 500 MB', large.size, async () => {
    if ((await client.download(path)) !== large.sha256) throw new Error('The download differs.');
  });
  console.table(results);
  console.log(`At most ${worst} MiB of resident memory; the limit is ${LIMIT} MiB.`);
  if (worst > LIMIT) process.exitCode = 1;
}

await withInstance(measure);
