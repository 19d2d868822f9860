import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../../../src/common/http/outbound/lookup-process.ts');

/** Whether this machine lets programs have files and a network of their own. */
export const hasNamespaces =
  spawnSync('bwrap', ['--unshare-user', '--unshare-net', '--dev-bind', '/', '/', 'true']).status === 0;

/**
 * Starts the program of `LookupHelper` on a machine with the host `192.0.2.6 builder` in its hosts file, and a name server that
 * knows `192.0.2.7 git.corp.test`, where names are searched in `corp.test`, and does not answer about "silent…".
 */
export function startInNamespace(): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-names-'));
  const files = {
    hosts: '192.0.2.6 builder\n',
    'resolv.conf': 'nameserver 127.0.0.1\nsearch corp.test\noptions timeout:30 attempts:1\n',
    'nsswitch.conf': 'hosts: files dns\n',
  };
  const binds = Object.entries(files).flatMap(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return ['--ro-bind', path, `/etc/${name}`];
  });
  const namespace = ['--unshare-user', '--unshare-net', '--uid', '0', '--gid', '0'];
  const rights = ['--cap-add', 'CAP_NET_BIND_SERVICE', '--die-with-parent', '--dev-bind', '/', '/'];
  const server = join(import.meta.dirname, 'name-server.ts');
  return spawn(
    'bwrap',
    [...namespace, ...rights, ...binds, process.execPath, server, PROGRAM, 'git.corp.test'],
    { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { UV_THREADPOOL_SIZE: '32' } },
  );
}
