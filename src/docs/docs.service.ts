import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { dump } from 'js-yaml';
import { ApiDocument } from '../common/openapi/api-document.js';

/** What is sent unchanged: the OpenAPI document in two formats, and files of the package swagger-ui-dist. */
export type DocsFile = 'openapi.json' | 'openapi.yaml' | 'swagger-ui.css' | 'swagger-ui-bundle.js';

/** A file with its compressed forms. */
export interface PreparedFile {
  /** In double quotes, as in the header. */
  readonly etag: string;
  /** The bytes by content coding. */
  readonly bodies: { readonly br: Buffer; readonly gzip: Buffer; readonly identity: Buffer };
}

const folderOfSwaggerUi = createRequire(import.meta.url)('swagger-ui-dist/absolute-path.js') as () => string;
/** Level 11 takes seconds for a file of a megabyte. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Makes the files of the API description once, with their compressed forms. */
@Injectable()
export class DocsService {
  private readonly files = new Map<DocsFile, Promise<PreparedFile>>();

  constructor(private readonly document: ApiDocument) {}

  /** A file, made by the first call. */
  get(name: DocsFile): Promise<PreparedFile> {
    let file = this.files.get(name);
    if (file === undefined) this.files.set(name, (file = this.prepare(name)));
    return file;
  }

  private async prepare(name: DocsFile): Promise<PreparedFile> {
    const identity = await this.read(name);
    const [br, gzipped] = await Promise.all([
      promisify(brotliCompress)(identity, BROTLI),
      promisify(gzip)(identity),
    ]);
    const etag = `"${hash('sha256', identity).slice(0, 32)}"`;
    return { etag, bodies: { br, gzip: gzipped, identity } };
  }

  private read(name: DocsFile): Promise<Buffer> | Buffer {
    switch (name) {
      case 'openapi.json':
        return Buffer.from(JSON.stringify(this.document.get()));
      case 'openapi.yaml':
        return Buffer.from(dump(this.document.get(), { skipInvalid: true, noRefs: true }));
      default:
        return readFile(join(folderOfSwaggerUi(), name));
    }
  }
}
