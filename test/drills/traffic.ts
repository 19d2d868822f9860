import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { fileForm } from '../../scripts/demo/upload.ts';
import { sha256, zip } from '../../scripts/demo/web-app.ts';

/** The kinds of requests, and how many clients send each at the same time. */
const CLIENTS = { check: 4, read: 2, write: 6, upload: 2, download: 2 } as const;
export type Kind = keyof typeof CLIENTS;

/** Milliseconds that a client waits between two requests. */
const PAUSE = 8;
/** Bytes of the downloaded zip. */
const DOWNLOAD_BYTES = 3_000_000;
/** Bytes of an uploaded file. */
const UPLOAD_BYTES = 100_000;

/** A request that did not succeed. */
export interface Failure {
  readonly kind: Kind;
  /** When, on the clock of `performance.now()`. */
  readonly at: number;
  readonly reason: string;
}

/** Clients that send requests of every kind without a pause, and repeat none. */
export class Traffic {
  readonly counts: Record<Kind, number> = { check: 0, read: 0, write: 0, upload: 0, download: 0 };
  readonly failures: Failure[] = [];
  private readonly agent = new Agent({ keepAlive: true });
  private readonly running: Promise<void>[] = [];
  private stopping = false;
  private readonly origin: string;
  private readonly token: string;
  private appPath = '';
  private download = { path: '', sha256: '' };

  /** @param origin that of the balancer @param token of the owner of an organization */
  constructor(origin: string, token: string) {
    this.origin = origin;
    this.token = token;
  }

  /** Creates an app with a published bundle, then starts the clients. */
  async start(): Promise<void> {
    const { id } = await this.json<{ id: string }>(
      'POST',
      '/v1/apps',
      { name: `Drill ${randomUUID()}` },
      201,
    );
    this.appPath = `/v1/apps/${id}`;
    const content = await zip(new Map([['index.html', randomBytes(DOWNLOAD_BYTES)]]));
    this.download = { path: `${await this.publish('zip', content)}/download`, sha256: sha256(content) };
    const requests: Record<Kind, () => Promise<void>> = {
      check: () => this.check(),
      read: () => this.read(),
      write: () => this.write(),
      upload: () => this.upload(),
      download: () => this.readSlowly(),
    };
    for (const [kind, clients] of Object.entries(CLIENTS) as [Kind, number][]) {
      for (let client = 0; client < clients; client++) this.running.push(this.repeat(kind, requests[kind]));
    }
  }

  /** Waits for the last responses. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
    this.agent.destroy();
  }

  private async repeat(kind: Kind, send: () => Promise<void>): Promise<void> {
    while (!this.stopping) {
      await send().then(
        () => this.counts[kind]++,
        (error: Error) => this.failures.push({ kind, at: performance.now(), reason: error.message }),
      );
      await sleep(PAUSE);
    }
  }

  /** An update check, as devices send it, which the fast path answers. */
  private async check(): Promise<void> {
    const query = new URLSearchParams({
      appVersionCode: '1',
      appVersionName: '1.0.0',
      deviceId: randomUUID(),
      osVersion: '34',
      platform: '0',
      pluginVersion: '8.4.3',
    });
    await this.call('GET', `${this.appPath}/bundles/latest?${query}`, 200);
  }

  private async read(): Promise<void> {
    await this.call('GET', `${this.appPath}/channels`, 200);
  }

  /** Creates and deletes a channel. */
  private async write(): Promise<void> {
    const path = `${this.appPath}/channels`;
    const { id } = await this.json<{ id: string }>('POST', path, { name: randomUUID() }, 201);
    await this.call('DELETE', `${path}/${id}`, 204);
  }

  /** Publishes a bundle of one file. */
  private async upload(): Promise<void> {
    await this.publish('zip', await zip(new Map([['index.html', randomBytes(UPLOAD_BYTES)]])));
  }

  /** @returns the path of the bundle */
  private async publish(artifactType: string, content: Buffer): Promise<string> {
    const bundles = `${this.appPath}/bundles`;
    const bundle = await this.json<{ id: string }>('POST', bundles, { artifactType }, 201);
    const path = `${bundles}/${bundle.id}`;
    const encoded = new Response(fileForm('bundle.zip', content));
    const body = Buffer.from(await encoded.arrayBuffer());
    const type = encoded.headers.get('content-type') ?? '';
    const file = await this.call('POST', `${path}/files`, 201, body, type);
    const { id } = JSON.parse(file) as { id: string };
    await this.json('PATCH', path, { appBundleFileId: id, artifactStatus: 'ready' }, 200);
    return path;
  }

  /** Downloads the zip in about a second, so that restarts meet downloads in progress. */
  private async readSlowly(): Promise<void> {
    const response = await this.send('GET', this.download.path, 200);
    const hash = createHash('sha256');
    for await (const chunk of response) {
      hash.update(chunk as Buffer);
      await sleep(10);
    }
    if (hash.digest('hex') !== this.download.sha256) throw new Error('other bytes arrived');
  }

  private async json<T>(method: string, path: string, body: object, status: number): Promise<T> {
    const bytes = Buffer.from(JSON.stringify(body));
    return JSON.parse(await this.call(method, path, status, bytes, 'application/json')) as T;
  }

  private async call(...request: Parameters<Traffic['send']>): Promise<string> {
    return text(await this.send(...request));
  }

  /** @returns the response, whose body is to be read @throws Error for another status than the given one */
  private async send(
    method: string,
    path: string,
    status: number,
    body?: Buffer,
    type = '',
  ): Promise<IncomingMessage> {
    const name = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '…').replace(/\?.*/, '')}`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'Content-Type': type, 'Content-Length': body.length }),
      };
      const options = { method, agent: this.agent, headers };
      httpRequest(this.origin + path, options, resolve)
        .on('error', reject)
        .end(body);
    }).catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`);
    });
    if (response.statusCode !== status) {
      throw new Error(`${name}: ${response.statusCode} ${(await text(response)).slice(0, 200)}`);
    }
    return response;
  }
}
