import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Backoff } from '../../../api/backoff.js';
import { isObject } from '../../project/project-folder.js';

/** Where packages come from unless the operator names a registry. */
export const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';

/** What a registry may take. Tests have less patience. */
export interface RegistryLimits {
  /** How often a request is sent while the registry is away. */
  readonly attempts: number;
  /** How long one response may take, in milliseconds. */
  readonly documentWithin: number;
  readonly packageWithin: number;
  /** In bytes. */
  readonly documentBytes: number;
  readonly packageBytes: number;
}

const MIB = 1024 ** 2;
const LIMITS: RegistryLimits = {
  attempts: 3,
  documentWithin: 60_000,
  packageWithin: 300_000,
  documentBytes: 64 * MIB,
  packageBytes: 256 * MIB,
};
const MAX_REDIRECTS = 5;

/** The short form of a document, which most registries have. */
const DOCUMENT = 'application/vnd.npm.install-v1+json, application/json;q=0.8';

/** A registry does not give what it should. The message is a clause that begins with the address, without a full stop. */
export class RegistryError extends Error {
  /** @param isPassing whether the same request may succeed later */
  constructor(
    message: string,
    readonly isPassing = false,
  ) {
    super(message);
  }
}

/** A version of a package, as a registry describes it. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly tarball: string;
  /** SHA-512 in Base64; `null`: the registry has none. */
  readonly sha512: string | null;
  /** `engines.node`; `null`: none is named. */
  readonly nodeRange: string | null;
  /** `optionalDependencies`: often one package for each platform, with its version. */
  readonly optional: Readonly<Record<string, unknown>>;
}

/** The npm registry of the operator, as the runner itself reads it: without credentials, and without any setting of a project. */
export class PackageRegistry {
  private readonly limits: RegistryLimits;

  /** @param url ends with a slash */
  constructor(
    readonly url: string,
    private readonly signal: AbortSignal,
    limits: Partial<RegistryLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
  }

  /**
   * One version of a package.
   *
   * @throws RegistryError when there is none
   */
  async find(name: string, version: string): Promise<PublishedPackage> {
    const found = (await this.list(name)).find((published) => published.version === version);
    if (found === undefined) throw new RegistryError(`${this.url} has no ${name} ${version}`);
    return found;
  }

  /**
   * All versions of a package.
   *
   * @throws RegistryError also when there is no such package
   */
  async list(name: string): Promise<PublishedPackage[]> {
    const { documentWithin, documentBytes } = this.limits;
    const address = `${this.url}${name.replace('/', '%2f')}`;
    const text = await this.get(address, DOCUMENT, documentWithin, async (response) => {
      if (response.status === 404) throw new RegistryError(`${this.url} has no package ${name}`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of this.bodyOf(response, documentBytes)) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    });
    const { versions } = this.parse(text, name);
    return Object.entries(isObject(versions) ? versions : {})
      .map(([version, manifest]) => readPackage(name, version, manifest))
      .filter((published) => published !== null);
  }

  /**
   * Writes the file of a package, which is a tar with gzip.
   *
   * @param file does not exist
   * @throws RegistryError also when it is not what was published; then there is no file
   */
  async download({ name, version, tarball, sha512 }: PublishedPackage, file: string): Promise<void> {
    if (sha512 === null) {
      throw new RegistryError(
        `${this.url} has no SHA-512 of ${name} ${version} ("dist.integrity"), and SHA-1 alone proves nothing`,
      );
    }
    const { packageWithin, packageBytes } = this.limits;
    const found = await this.get(this.ownAddress(tarball), '*/*', packageWithin, async (response) => {
      const hash = createHash('sha512');
      // An earlier attempt may have left a part.
      await rm(file, { force: true });
      const body = this.bodyOf(response, packageBytes, hash);
      await pipeline(body, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
      return hash.digest('base64');
    });
    if (found === sha512) return;
    await rm(file, { force: true });
    throw new RegistryError(
      `${this.url} sends a file of ${name} ${version} that is not the published one: its SHA-512 differs`,
    );
  }

  /** Mirrors often name the public registry, which the operator has replaced: npm replaces its host, too. */
  private ownAddress(tarball: string): string {
    const url = URL.parse(tarball, this.url);
    if (url === null) throw new RegistryError(`${this.url} names no address of a package`);
    return url.origin === new URL(PUBLIC_REGISTRY).origin ? `${this.url}${url.pathname.slice(1)}` : url.href;
  }

  private parse(text: string, name: string): Record<string, unknown> {
    try {
      const document: unknown = JSON.parse(text);
      if (isObject(document)) return document;
    } catch {
      // Below.
    }
    throw new RegistryError(`${this.url} describes the package ${name} by something else than JSON`);
  }

  private async get<R>(
    address: string,
    accept: string,
    within: number,
    read: (response: Response) => Promise<R>,
  ): Promise<R> {
    const backoff = new Backoff();
    for (let attempt = 1; ; attempt++) {
      const late = AbortSignal.timeout(within);
      try {
        return await read(await this.follow(address, accept, AbortSignal.any([this.signal, late])));
      } catch (error) {
        this.signal.throwIfAborted();
        const failure = late.aborted
          ? new RegistryError(`${this.url} does not respond completely within ${within / 1000} seconds`)
          : this.failureOf(error);
        if (!(failure instanceof RegistryError && failure.isPassing) || attempt >= this.limits.attempts) {
          throw failure;
        }
        await backoff.wait(this.signal);
      }
    }
  }

  /** A response that is no redirect, with 2xx or 404. */
  private async follow(address: string, accept: string, signal: AbortSignal): Promise<Response> {
    let url = new URL(address);
    for (let left = MAX_REDIRECTS; ; left--) {
      const response = await fetch(url, { redirect: 'manual', headers: { accept }, signal });
      const { ok, status, headers } = response;
      if (ok || status === 404) return response;
      await response.body?.cancel();
      const next = URL.parse(headers.get('location') ?? '', url.href);
      if (status < 300 || status > 399 || !headers.has('location')) {
        throw new RegistryError(`${this.url} responds with ${status}`, status === 429 || status >= 500);
      }
      if (left === 0) throw new RegistryError(`${this.url} redirects more than ${MAX_REDIRECTS} times`);
      if (next === null || !['https:', url.protocol].includes(next.protocol)) {
        throw new RegistryError(`${this.url} redirects to an address that is not https`);
      }
      url = next;
    }
  }

  private async *bodyOf(
    { status, body }: Response,
    maxBytes: number,
    hash?: Hash,
  ): AsyncGenerator<Uint8Array> {
    if (status === 404 || body === null) throw new RegistryError(`${this.url} responds with ${status}`);
    let bytes = 0;
    for await (const chunk of Readable.fromWeb(body) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new RegistryError(`${this.url} sends more than ${maxBytes / MIB} MiB`);
      hash?.update(chunk);
      yield chunk;
    }
  }

  /** Errors of connections become sentences; those of this machine, such as a full disk, stay. */
  private failureOf(error: unknown): unknown {
    const { name, message, cause } = error as Error;
    if (name !== 'TypeError' || !['fetch failed', 'terminated'].includes(message)) return error;
    const reason = (cause ?? {}) as { code?: string; message?: string };
    return new RegistryError(
      `${this.url} cannot be reached: ${reason.message || reason.code || message}`,
      true,
    );
  }
}

function readPackage(name: string, version: string, manifest: unknown): PublishedPackage | null {
  if (!isObject(manifest) || !isObject(manifest['dist'])) return null;
  const { dist, engines, optionalDependencies: optional } = manifest;
  const { tarball, integrity } = dist;
  if (typeof tarball !== 'string') return null;
  const node = isObject(engines) ? engines['node'] : null;
  const [, sha512 = null] = /(?:^|\s)sha512-([\w+/]{86}==)(?:\s|$)/.exec(String(integrity)) ?? [];
  return {
    name,
    version,
    tarball,
    sha512,
    nodeRange: typeof node === 'string' ? node : null,
    optional: isObject(optional) ? optional : {},
  };
}
