import { createHash } from 'node:crypto';
import type { Client } from './client.ts';
import { type Content, MIB } from './content.ts';

/** Bytes of a part, as of the official command-line tool. */
export const PART = 10 * MIB;
const PARTS_AT_ONCE = 100;
/** Files that every bundle has: the page, and the list of the others. */
const INDEX = 'index.html';
const MANIFEST = 'capawesome-live-update-manifest.json';

/** Uploads to one app. */
export class Scenarios {
  private appPath = '';
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async prepare(): Promise<void> {
    const { id } = await this.client.json<{ id: string }>('POST', '/v1/apps', { name: 'Benchmark' });
    this.appPath = `/v1/apps/${id}`;
  }

  /** Many files, each in one request, all at once. @returns the path of the bundle */
  async files(contents: readonly Content[]): Promise<string> {
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
    return bundle;
  }

  /** Many files with an `index.html` and a manifest, published. @returns the paths where the files are served */
  async published(contents: readonly Content[]): Promise<string[]> {
    const bundle = await this.files(contents);
    const index = inMemory('<html>');
    const hrefs = contents.map((_, i) => `${i}.bin`);
    const items = [...contents, index].map(({ sha256, size }, i) => ({
      href: hrefs[i] ?? INDEX,
      checksum: sha256,
      sizeInBytes: size,
    }));
    for (const [href, file] of [
      [INDEX, index] as const,
      [MANIFEST, inMemory(JSON.stringify(items))] as const,
    ]) {
      await this.client.form('POST', `${bundle}/files`, fieldsOf(file, href), { name: 'file', ...file });
    }
    await this.publish(bundle);
    return hrefs.map((href) => `${bundle}/download?href=${href}`);
  }

  /** Many files, each in parts of 10 MiB, all parts at once. */
  async filesInParts(contents: readonly Content[]): Promise<void> {
    const bundle = await this.bundle('manifest');
    await Promise.all(contents.map((file, i) => this.fileInParts(bundle, file, `${i}.bin`, PARTS_AT_ONCE)));
  }

  /** One zip in parts, four of them at once, as the official CLI sends it, and published. @returns where it is served */
  async zip(file: Content): Promise<string> {
    const bundle = await this.upload(file);
    await this.publish(bundle);
    return `${bundle}/download`;
  }

  /** The first half of `zip`. @returns the path of the bundle */
  async upload(file: Content): Promise<string> {
    const bundle = await this.bundle('zip');
    await this.fileInParts(bundle, file, undefined, 4);
    return bundle;
  }

  /** The second half of `zip`. */
  async publish(bundle: string): Promise<void> {
    await this.client.json('PATCH', bundle, { artifactStatus: 'ready' });
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

function fieldsOf(file: Pick<Content, 'sha256' | 'size'>, href: string | undefined): object {
  return {
    checksum: file.sha256,
    ...(href === undefined ? {} : { href }),
    mimeType: 'application/octet-stream',
    name: href ?? 'bundle.zip',
    sizeInBytes: file.size,
  };
}

/** A small file. */
function inMemory(text: string): { size: number; sha256: string; chunks: Buffer[] } {
  const bytes = Buffer.from(text);
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), chunks: [bytes] };
}
