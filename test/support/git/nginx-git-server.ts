import { execFileSync, type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Balancer, startNginx } from '../../drills/balancers.js';
import { freePort } from '../../setup/free-port.js';
import { eventually } from '../eventually.js';

const BACKEND = '/usr/lib/git-core/git-http-backend';
const USERNAME = 'ada';

/** Whether this machine has the programs: on Debian the packages `nginx-light`, `fcgiwrap` and `git`. */
export const hasNginxGit =
  existsSync(BACKEND) && ['nginx', 'fcgiwrap'].every((name) => spawnSync(name, ['-h']).error === undefined);

/** Private repositories behind nginx, fcgiwrap and git-http-backend, as companies host them. */
export class NginxGitServer {
  private constructor(
    readonly origin: string,
    readonly username: string,
    readonly password: string,
    private readonly folder: string,
    private readonly nginx: Balancer,
    private readonly fcgiwrap: ChildProcess,
  ) {}

  static async start(): Promise<NginxGitServer> {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-nginx-git-'));
    const password = randomBytes(12).toString('base64url');
    writeFileSync(join(folder, 'passwords'), `${USERNAME}:{PLAIN}${password}\n`);
    const socket = join(folder, 'fcgiwrap.socket');
    // A group of its own: its children do not end with it.
    const fcgiwrap = spawn('fcgiwrap', ['-c', '2', '-s', `unix:${socket}`], {
      stdio: 'ignore',
      detached: true,
    });
    await eventually(() => expect(existsSync(socket)).toBe(true));
    const port = await freePort();
    const nginx = await startNginx(configOf(port, folder, socket), { balancer: port, servers: [0, 0] });
    return new NginxGitServer(nginx.origin, USERNAME, password, folder, nginx, fcgiwrap);
  }

  /** Makes an empty repository that accepts pushes. @param path such as `acme/shop.git` */
  create(path: string): void {
    const repository = join(this.folder, 'repositories', path);
    git(this.folder, 'init', '--quiet', '--bare', '--initial-branch=main', repository);
    git(repository, 'config', 'http.receivepack', 'true');
  }

  /** What the server runs after each push to a repository. @param script of the shell; `null`: nothing any more */
  afterPush(path: string, script: string | null): void {
    const hook = join(this.folder, 'repositories', path, 'hooks/post-receive');
    if (script === null) rmSync(hook);
    else writeFileSync(hook, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /**
   * Commits files in a working copy, and pushes them as a developer does.
   *
   * @param files by path; what is there already stays
   * @returns the commit
   */
  push(path: string, branch: string, message: string, files: Readonly<Record<string, string>>): string {
    const copy = join(this.folder, 'copies', path);
    if (!existsSync(copy)) git(this.folder, 'init', '--quiet', `--initial-branch=${branch}`, copy);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      writeFileSync(join(copy, name), content);
    }
    git(copy, 'add', '--all');
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    git(copy, ...author, 'commit', '--quiet', '--message', message);
    const url = new URL(`${this.origin}/${path}`);
    Object.assign(url, { username: this.username, password: this.password });
    git(copy, 'push', '--quiet', url.href, `HEAD:refs/heads/${branch}`);
    return git(copy, 'rev-parse', 'HEAD');
  }

  async stop(): Promise<void> {
    await this.nginx.stop();
    const stopped = once(this.fcgiwrap, 'exit');
    process.kill(-(this.fcgiwrap.pid ?? 0), 'SIGTERM');
    await stopped;
    await rm(this.folder, { recursive: true, force: true });
  }
}

function configOf(port: number, folder: string, socket: string): string {
  const parameters = {
    SCRIPT_FILENAME: BACKEND,
    GIT_PROJECT_ROOT: join(folder, 'repositories'),
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROTOCOL: '$http_git_protocol',
    PATH_INFO: '$uri',
    QUERY_STRING: '$query_string',
    REQUEST_METHOD: '$request_method',
    CONTENT_TYPE: '$content_type',
    CONTENT_LENGTH: '$content_length',
    HTTP_CONTENT_ENCODING: '$http_content_encoding',
    REMOTE_USER: '$remote_user',
    REMOTE_ADDR: '$remote_addr',
  };
  return `server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    auth_basic "git";
    auth_basic_user_file ${join(folder, 'passwords')};
    location / {
      fastcgi_pass unix:${socket};
      ${Object.entries(parameters)
        .map(([name, value]) => `fastcgi_param ${name} ${value};`)
        .join(' ')}
    }
  }`;
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...args], {
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
  }).trim();
}
