import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import type { WebApp } from './starter.ts';

export const MANIFEST = 'capawesome-live-update-manifest.json';

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Publishes web apps as the official command-line tool does. */
export class Publisher {
  private readonly origin: string;
  private readonly token: string;
  private appPath = '';

  constructor(origin: string, token: string) {
    this.origin = origin;
    this.token = token;
  }

  /** @returns its id */
  async createApp(values: object = { name: 'Benchmark' }): Promise<string> {
    const { id } = await this.json('POST', '/v1/apps', values);
    this.appPath = `/v1/apps/${id}`;
    return id;
  }

  /** @returns the address of the bundle */
  async zip(files: WebApp): Promise<string> {
    const zip = new yazl.ZipFile();
    for (const [href, content] of files) zip.addBuffer(content, href, { compressionLevel: 9 });
    zip.end();
    return this.publish('zip', new Map([['', await buffer(zip.outputStream)]]));
  }

  /** @returns the address of the bundle */
  async manifest(files: WebApp): Promise<string> {
    const items = [...files].map(([href, content]) => ({
      checksum: sha256(content),
      href,
      sizeInBytes: content.length,
    }));
    return this.publish('manifest', new Map([...files, [MANIFEST, Buffer.from(JSON.stringify(items))]]));
  }

  private async publish(artifactType: string, files: WebApp): Promise<string> {
    const { id } = await this.json('POST', `${this.appPath}/bundles`, { artifactType });
    const path = `${this.appPath}/bundles/${id}`;
    for (const [href, content] of files) {
      const form = new FormData();
      form.set('checksum', sha256(content));
      form.set('file', new Blob([new Uint8Array(content)]), 'file');
      if (href !== '') form.set('href', href);
      form.set('mimeType', 'application/octet-stream');
      form.set('name', href.split('/').at(-1) || 'bundle.zip');
      form.set('sizeInBytes', String(content.length));
      await this.send('POST', `${path}/files`, form);
    }
    await this.json('PATCH', path, { artifactStatus: 'ready' });
    return `${this.origin}${path}`;
  }

  private json(method: string, path: string, body: object): Promise<{ id: string }> {
    return this.send(method, path, JSON.stringify(body), { 'Content-Type': 'application/json' });
  }

  private async send(
    method: string,
    path: string,
    body: string | FormData,
    headers: Record<string, string> = {},
  ): Promise<{ id: string }> {
    const authorization = { Authorization: `Bearer ${this.token}` };
    const response = await fetch(this.origin + path, {
      method,
      body,
      headers: { ...headers, ...authorization },
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  }
}
