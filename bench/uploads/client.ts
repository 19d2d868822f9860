import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends files as clients do, without holding them. */
export class Client {
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

  /** @returns the SHA-256 of the body */
  async download(path: string): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of await this.open(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  /** Begins a download. */
  open(path: string): Promise<IncomingMessage> {
    return this.send('GET', path, 'text/plain', 0, []);
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

/** The file of a form. */
export interface FilePart {
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
