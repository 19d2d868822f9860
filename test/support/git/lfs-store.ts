import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

const BATCH = '/info/lfs/objects/batch';
const DOWNLOAD = '/lfs-objects/';

interface Batch {
  readonly objects: readonly { readonly oid: string; readonly size: number }[];
}

/** The files of a git server in Git LFS: https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md */
export class LfsStore {
  private readonly objects = new Map<string, Buffer>();
  /** Where it sends clients for the content; `null`: to the server itself. */
  downloadsAt: string | null = null;
  /** The headers that clients must send for the content. */
  downloadHeader: Readonly<Record<string, string>> = {};
  /** Path of each request and its headers `Authorization`. */
  readonly requests: { readonly path: string; readonly authorization: readonly string[] }[] = [];

  /** @returns the pointer to commit */
  add(content: Buffer | string): string {
    const bytes = Buffer.from(content);
    const oid = createHash('sha256').update(bytes).digest('hex');
    this.objects.set(oid, bytes);
    return pointerTo(oid, bytes.length);
  }

  /** @returns `false`: the request is not one for Git LFS */
  answers(request: IncomingMessage, response: ServerResponse, origin: string, isAllowed: boolean): boolean {
    const path = request.url ?? '';
    const isBatch = path.endsWith(BATCH);
    if (!isBatch && !path.startsWith(DOWNLOAD)) return false;
    this.requests.push({ path, authorization: request.headersDistinct.authorization ?? [] });
    if (!isAllowed && (isBatch || Object.keys(this.downloadHeader).length === 0)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else if (isBatch) void this.sendBatch(request, response, origin);
    else this.sendObject(path, response);
    return true;
  }

  /** Sends the content at the end of a path. */
  private sendObject(path: string, response: ServerResponse): void {
    const bytes = this.objects.get(path.slice(path.lastIndexOf('/') + 1));
    if (bytes === undefined) response.writeHead(404).end();
    else response.end(bytes);
  }

  private async sendBatch(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
    const { objects } = (await json(request)) as Batch;
    const answers = objects.map(({ oid, size }) =>
      this.objects.has(oid)
        ? {
            oid,
            size,
            actions: {
              download: {
                href: `${this.downloadsAt ?? origin}${DOWNLOAD}${oid}`,
                header: this.downloadHeader,
              },
            },
          }
        : { oid, size, error: { code: 404, message: 'Object does not exist on the server' } },
    );
    response.setHeader('content-type', 'application/vnd.git-lfs+json');
    response.end(JSON.stringify({ transfer: 'basic', objects: answers }));
  }
}

/** The pointer to a file. */
export function pointerTo(oid: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
}
