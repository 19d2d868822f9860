import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type MultipartUpload,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { SiteStorage } from '../servers/site-storage.js';
import { directClient } from './direct-client.js';

/** What a server keeps below a prefix of the test bucket. */
export class S3SiteStorage implements SiteStorage {
  private readonly client: S3Client = directClient();
  private readonly bucket = process.env['S3_BUCKET'] ?? '';

  constructor(private readonly prefix: string) {}

  async incoming(): Promise<string[]> {
    return (await this.uploads()).map(({ Key = '' }) => idOf(Key));
  }

  async objects(): Promise<string[]> {
    return (await this.keys(`${this.prefix}/blobs/`)).map(idOf).sort();
  }

  async read(id: string): Promise<Buffer> {
    const Key = `${this.prefix}/blobs/${id.slice(-2)}/${id}`;
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key }));
    return buffer(Body as Readable);
  }

  async clear(): Promise<void> {
    for (const Key of await this.keys(`${this.prefix}/`)) {
      await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key }));
    }
    for (const { Key, UploadId } of await this.uploads()) {
      await this.client.send(new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }));
    }
  }

  private async keys(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for (let token: string | undefined; ;) {
      const page = await this.client.send(
        new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken: token }),
      );
      keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
      token = page.NextContinuationToken;
      if (token === undefined) return keys;
    }
  }

  private async uploads(): Promise<MultipartUpload[]> {
    const Prefix = `${this.prefix}/`;
    const page = await this.client.send(new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix }));
    return page.Uploads ?? [];
  }
}

function idOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
