import { createHash } from 'node:crypto';
import { AppError } from '../../common/errors/app-error.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import {
  decodeManifest,
  type ManifestItem,
  MAX_MANIFEST_BYTES,
  parseManifest,
  type StoredFile,
} from '../bundle-manifests/manifest.js';
import { rootFolders } from '../bundle-manifests/root-folders.js';

/**
 * A manifest in a zip, beside its `index.html`. The next bundle in manifest form is built by it, from files that are not
 * verified again, so it must describe the files of the zip.
 */
export class PackedManifest {
  private readonly files = new Map<string, StoredFile>();
  private readonly chunks: Buffer[] = [];

  private constructor(private readonly folder: string) {}

  /** @param paths of all files of the zip @returns `null`: devices find no manifest in it */
  static in(paths: readonly string[]): PackedManifest | null {
    const [folder = ''] = rootFolders(paths);
    return paths.includes(folder + MANIFEST_HREF) ? new PackedManifest(folder) : null;
  }

  /** Reads the content of a file. */
  async *read(path: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let sizeInBytes = 0;
    const isManifest = path === this.folder + MANIFEST_HREF;
    for await (const chunk of content) {
      hash.update(chunk);
      sizeInBytes += chunk.length;
      if (isManifest && sizeInBytes <= MAX_MANIFEST_BYTES) this.chunks.push(chunk);
      yield chunk;
    }
    this.files.set(path, { href: path, sha256: hash.digest('hex'), sizeInBytes });
  }

  /**
   * What the manifest lists, after all files were read.
   *
   * @returns the files, or the problems, each without a full stop
   */
  result(): { readonly manifest: readonly ManifestItem[] } | { readonly problems: readonly string[] } {
    const size = this.files.get(this.folder + MANIFEST_HREF)?.sizeInBytes ?? 0;
    if (size > MAX_MANIFEST_BYTES) {
      return { problems: [`${MANIFEST_HREF} is larger than ${MAX_MANIFEST_BYTES} bytes`] };
    }
    try {
      const manifest = parseManifest(decodeManifest(Buffer.concat(this.chunks)));
      const wrong = manifest.filter((item) => {
        const file = this.files.get(this.folder + item.href);
        return file?.sha256 !== item.checksum || file.sizeInBytes !== item.sizeInBytes;
      });
      if (wrong.length === 0) return { manifest };
      return { problems: wrong.map(({ href }) => `${href} is not the file that ${MANIFEST_HREF} lists`) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { problems: [error.message.replace(/\.$/, '')] };
    }
  }
}
