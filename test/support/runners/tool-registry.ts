import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** An entry of a tar. */
export interface TarEntry {
  readonly path: string;
  readonly content?: string;
  /** Default: of a file. */
  readonly mode?: number;
  /** `0`: file, `1`: hard link, `2`: symbolic link, `6`: FIFO. */
  readonly type?: string;
  readonly target?: string;
}

/** A registry of npm with any packages, for the runner itself. */
export class ToolRegistry {
  /** Paths that were asked for. */
  readonly requested: string[] = [];
  /** Answers a request in its own way. @returns whether it did */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  /** What addresses of packages begin with. */
  tarballs: string;

  private readonly documents = new Map<string, Record<string, unknown>>();
  private readonly files = new Map<string, Buffer>();

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {
    this.tarballs = url;
  }

  static async start(): Promise<ToolRegistry> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const registry = new ToolRegistry(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const path = decodeURIComponent((request.url ?? '').slice(1));
      registry.requested.push(path);
      if (registry.intercept(request, response)) return;
      const versions = registry.documents.get(path);
      const file = registry.files.get(path);
      if (versions !== undefined) response.end(JSON.stringify({ name: path, versions }));
      else response.writeHead(file === undefined ? 404 : 200).end(file ?? '{}');
    });
    return registry;
  }

  /**
   * Publishes a version of a package.
   *
   * @param entries besides its package.json
   * @param manifest of its package.json, and of what the registry says
   */
  publish(name: string, version: string, entries: readonly TarEntry[], manifest: object = {}): void {
    const own = { name, version, ...manifest };
    const file = gzipSync(
      tarOf([{ path: 'package/package.json', content: JSON.stringify(own) }, ...entries]),
    );
    const path = `${name}/-/${version}.tgz`;
    this.files.set(path, file);
    const sha512 = createHash('sha512').update(file).digest('base64');
    const shasum = createHash('sha1').update(file).digest('hex');
    const dist = { tarball: `${this.tarballs}${path}`, integrity: `sha512-${sha512}`, shasum };
    const versions = this.documents.get(name) ?? {};
    this.documents.set(name, { ...versions, [version]: { dist, ...own } });
  }

  /**
   * Publishes a Node.js for this machine, which is another one that only calls itself by this version, and an npm that
   * installs nothing and runs scripts.
   *
   * @param program as builds see it
   */
  publishNode(version: string, program: string): void {
    const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
    const node = `#!/bin/sh\n[ "$1" = --version ] && exec echo v${version}\nexec ${program} "$@"\n`;
    const npm = `const [command, script] = process.argv.slice(2);
      const { scripts } = require(process.cwd() + '/package.json');
      if (command === 'run') require('node:child_process').execSync(scripts[script], { stdio: 'inherit' });`;
    this.publish(`${prefix}-${process.platform}-${process.arch}`, version, [
      { path: 'package/bin/node', content: node, mode: 0o755 },
    ]);
    this.publish('npm', '10.9.9', [{ path: 'package/bin/npm-cli.js', content: npm }], {
      bin: { npm: 'bin/npm-cli.js' },
    });
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

function tarOf(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(toBytes), Buffer.alloc(1024)]);
}

/** As POSIX describes `ustar`. */
function toBytes({ path, content = '', mode = 0o644, type = '0', target = '' }: TarEntry): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(512);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(path, 0, 100);
  header.write(octal(mode, 7) + octal(0, 7) + octal(0, 7) + octal(bytes.length, 11) + octal(0, 11), 100);
  header.write(`        ${type}${target}`, 148);
  header.write('ustar\x0000', 257);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
