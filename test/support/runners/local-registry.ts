import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../processes/temporary-folders.js';

/** A registry of npm with one package, which exports a text. */
export class LocalRegistry {
  /** Paths that were asked for. */
  readonly requested: string[] = [];
  /** Headers `Authorization` that came. */
  readonly credentials: string[] = [];
  /** How many of the next requests fail. */
  failures = 0;
  /** How long each response takes, in milliseconds. */
  delay = 0;

  private constructor(
    readonly origin: string,
    private readonly server: Server,
  ) {}

  /**
   * @param host the address on which it listens
   * @param name of the package, in version 1.0.0
   */
  static async start(host: string, name: string, text: string): Promise<LocalRegistry> {
    const archive = await pack(name, text);
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const registry = new LocalRegistry(`http://${host}:${(server.address() as AddressInfo).port}`, server);
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      registry.requested.push(request.url ?? '');
      if (request.headers.authorization !== undefined)
        registry.credentials.push(request.headers.authorization);
      await sleep(registry.delay);
      if (registry.failures > 0) {
        registry.failures--;
        response.writeHead(503).end('{}');
      } else if (request.url === `/${name}`) {
        response.setHeader('content-type', 'application/json').end(registry.document(name, archive));
      } else if (request.url === '/package.tgz') response.end(archive);
      else response.writeHead(404).end('{}');
    });
    return registry;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  private document(name: string, archive: Buffer): string {
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const dist = { tarball: `${this.origin}/package.tgz`, integrity };
    return JSON.stringify({
      name,
      'dist-tags': { latest: '1.0.0' },
      versions: { '1.0.0': { name, version: '1.0.0', dist } },
    });
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

async function pack(name: string, text: string): Promise<Buffer> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'package'));
  await writeFile(join(folder, 'package/package.json'), JSON.stringify({ name, version: '1.0.0' }));
  await writeFile(join(folder, 'package/index.js'), `module.exports = ${JSON.stringify(text)};`);
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  return readFile(join(folder, 'package.tgz'));
}
