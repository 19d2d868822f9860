import { execFileSync } from 'node:child_process';

/** Makes a folder a git repository with a remote, as a checkout is. @param url of `origin` */
export function setGitRemote(folder: string, url: string): void {
  const git = (...args: string[]): Buffer => execFileSync('git', ['-C', folder, ...args]);
  git('init', '--quiet');
  git('config', 'remote.origin.url', url);
}
