import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A package.json; it may have more. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
}

/** A version of a package, as a registry has it. */
export interface PackedPackage {
  readonly manifest: Manifest;
  /** As `npm pack` writes it. */
  readonly archive: Buffer;
}

/** Long enough ago for managers that do not install what is new. */
const PUBLISHED = '2020-01-01T00:00:00.000Z';

/** A registry of npm that serves what it was given, and knows nothing else. */
export class StaticRegistry {
  /** Paths that were asked for. */
  readonly requested: string[] = [];

  private constructor(
    /** With `/` at its end. */
    readonly url: string,
    private readonly packages: readonly PackedPackage[],
    private readonly server: Server,
  ) {}

  /**
   * @param host the address on which it listens
   * @param packages of each name, the last one is `latest`
   */
  static async start(host: string, packages: readonly PackedPackage[]): Promise<StaticRegistry> {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const url = `http://${host}:${(server.address() as AddressInfo).port}/`;
    const registry = new StaticRegistry(url, packages, server);
    server.on('request', (request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? '', url).pathname.slice(1));
      registry.requested.push(path);
      const content = registry.contentAt(path);
      if (content === null) response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      else if (Buffer.isBuffer(content)) response.end(content);
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(content));
    });
    return registry;
  }

  /** The package.json of a package. @param spec such as `tiny@1.0.0` */
  manifestOf(spec: string): Manifest {
    return this.find(spec).manifest;
  }

  /** Where a package is, and its hashes. @param spec such as `tiny@1.0.0` */
  distOf(spec: string): { readonly tarball: string; readonly integrity: string; readonly shasum: string } {
    const found = this.find(spec);
    const hash = (algorithm: string) => createHash(algorithm).update(found.archive);
    return {
      tarball: `${this.url}${tarballPath(found)}`,
      integrity: `sha512-${hash('sha512').digest('base64')}`,
      shasum: hash('sha1').digest('hex'),
    };
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private find(spec: string): PackedPackage {
    const found = this.packages.find(({ manifest }) => specOf(manifest) === spec);
    if (found === undefined) throw new Error(`The registry has no ${spec}.`);
    return found;
  }

  private contentAt(path: string): Buffer | object | null {
    const archive = this.packages.find((version) => tarballPath(version) === path)?.archive;
    if (archive !== undefined) return archive;
    const named = this.packages.filter(({ manifest }) => manifest.name === path);
    if (named.length > 0) return this.document(path, named);
    const one = this.packages.find(({ manifest }) => `${manifest.name}/${manifest.version}` === path);
    return one === undefined ? null : this.withDist(one);
  }

  private document(name: string, versions: readonly PackedPackage[]): object {
    const numbers = versions.map(({ manifest }) => manifest.version);
    return {
      name,
      modified: PUBLISHED,
      'dist-tags': { latest: numbers.at(-1) },
      versions: Object.fromEntries(versions.map((one) => [one.manifest.version, this.withDist(one)])),
      time: Object.fromEntries(['created', 'modified', ...numbers].map((key) => [key, PUBLISHED])),
    };
  }

  private withDist({ manifest }: PackedPackage): object {
    return { ...manifest, dist: this.distOf(specOf(manifest)) };
  }
}

function specOf({ name, version }: Manifest): string {
  return `${name}@${version}`;
}

function tarballPath({ manifest: { name, version } }: PackedPackage): string {
  return `${name}/-/${name.replace(/^@.*\//, '')}-${version}.tgz`;
}
