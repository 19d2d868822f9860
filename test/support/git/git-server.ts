import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LfsStore } from './lfs-store.js';
import { LocalServer } from './local-server.js';

/** Whether this machine has git with its HTTP backend. */
export const hasGit =
  spawnSync('git', ['http-backend'], { env: { PATH: process.env['PATH'] } }).status !== null;

const ENV = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** How a git server answers. */
export interface GitServerOptions {
  /** `user:password` that it asks for; by default none. */
  readonly credentials?: string;
  /** Repositories that it does not ask for, such as `acme/open.git`. */
  readonly open?: readonly string[];
  /** Where it redirects to, by repository: from `acme/old.git` to `acme/new.git`. */
  readonly moved?: Readonly<Record<string, string>>;
  /** Whether it knows protocol version 2; default: true. */
  readonly speaksVersion2?: boolean;
  /** Its files in Git LFS; default: it has none. */
  readonly lfs?: LfsStore;
  /** Its API, by path: JSON, or the path that it redirects to; default: none. May be changed while it runs, as `moved`. */
  readonly api?: Record<string, unknown>;
  /** The IPv4 address of this machine that it listens at; default: the loopback. */
  readonly host?: string;
}

/** Real repositories behind `git http-backend`, as a web server would run it. */
export class GitServer {
  /** Method and URL of each request. */
  readonly requests: string[] = [];

  private constructor(
    private readonly root: string,
    private readonly server: LocalServer,
  ) {}

  static async start(options: GitServerOptions = {}): Promise<GitServer> {
    const root = mkdtempSync(join(tmpdir(), 'slipway-git-'));
    const server = await LocalServer.start((request, response) => {
      git.requests.push(`${request.method} ${request.url}`);
      const [from, to] = movedBy(request, options) ?? [];
      if (from !== undefined && to !== undefined) {
        response.writeHead(301, { location: request.url?.replace(from, to) }).end();
      } else if (options.lfs?.answers(request, response, git.origin, isAllowed(request, options)) === true) {
        // It was for Git LFS.
      } else if (request.url !== undefined && options.api?.[request.url] !== undefined) {
        const answer = options.api[request.url];
        const json = { 'content-type': 'application/json' };
        if (typeof answer === 'string') response.writeHead(301, { location: answer }).end();
        else response.writeHead(200, json).end(JSON.stringify(answer));
      } else if (isAllowed(request, options)) runBackend(root, request, response, options);
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    }, options.host);
    const git = new GitServer(root, server);
    return git;
  }

  get origin(): string {
    return this.server.origin;
  }

  /** The folder of a repository. */
  folderOf(path: string): string {
    return join(this.root, path);
  }

  /** Makes an empty repository. @param path such as `acme/shop.git` */
  create(path: string, ...options: string[]): void {
    execFileSync(
      'git',
      ['init', '--quiet', '--bare', '--initial-branch=main', ...options, this.folderOf(path)],
      {
        env: ENV,
      },
    );
  }

  /** Runs git in a repository. @returns what it prints */
  git(path: string, args: readonly string[], input = ''): string {
    return execFileSync('git', ['-C', this.folderOf(path), ...args], {
      env: ENV,
      input,
      encoding: 'utf8',
    }).trim();
  }

  /** Adds a commit to a branch. @param files what it adds or changes, by path @param links the same @returns its id */
  commit(
    path: string,
    branch: string,
    message: string,
    files: Readonly<Record<string, string>> = { 'package.json': '{}' },
    links: Readonly<Record<string, string>> = {},
  ): string {
    const { length } = Buffer.from(message);
    const lines = [
      `commit refs/heads/${branch}`,
      'committer Ada <ada@example.com> 1700000000 +0000',
      `data ${length}`,
    ];
    const changes = (mode: string, entries: Readonly<Record<string, string>>): string[] =>
      Object.entries(entries).flatMap(([name, content]) => [
        `M ${mode} inline ${name}`,
        `data ${Buffer.byteLength(content)}`,
        content,
      ]);
    const stream = [...lines, message, ...changes('100644', files), ...changes('120000', links), ''].join(
      '\n',
    );
    this.git(path, ['fast-import', '--quiet', '--force'], stream);
    return this.git(path, ['rev-parse', `refs/heads/${branch}`]);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.root, { recursive: true, force: true });
  }
}

function movedBy({ url }: IncomingMessage, { moved = {} }: GitServerOptions): [string, string] | undefined {
  return Object.entries(moved).find(([from]) => url?.startsWith(`/${from}/`) === true);
}

function isAllowed(request: IncomingMessage, { credentials, open = [] }: GitServerOptions): boolean {
  if (credentials === undefined || open.some((path) => request.url?.startsWith(`/${path}/`) === true))
    return true;
  return request.headers.authorization === `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Runs the CGI program: https://git-scm.com/docs/git-http-backend */
function runBackend(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  { speaksVersion2 = true }: GitServerOptions,
): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const protocol = request.headers['git-protocol'];
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...ENV,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(speaksVersion2 && typeof protocol === 'string' && { GIT_PROTOCOL: protocol }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin).on('error', () => undefined);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output.toString('latin1', 0, Math.max(0, end)).split('\r\n');
    for (const header of headers) {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(header) ?? [];
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else if (name !== '') response.setHeader(name, value);
    }
    response.end(output.subarray(end + 4));
  });
}
