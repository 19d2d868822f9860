import type { GitProvider } from '../git-connections/git-connection.entity.js';

export interface RemoteAddress {
  /** In lower case, without port. */
  readonly host: string;
  /** Without slashes around it, with `.git` if the remote has it. */
  readonly path: string;
}

const CLOUDS: Readonly<Record<string, GitProvider>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'gitea.com': 'gitea',
  'dev.azure.com': 'azure_devops',
};

/** The provider with its cloud at this host; `null`: none. */
export function cloudProviderOf(host: string): GitProvider | null {
  return Object.hasOwn(CLOUDS, host) ? (CLOUDS[host] ?? null) : null;
}

/** The host of the cloud of a provider; `null`: it has none. */
export function cloudHostOf(provider: GitProvider): string | null {
  return Object.entries(CLOUDS).find(([, known]) => known === provider)?.[0] ?? null;
}

/**
 * Reads what `git remote get-url` prints: `https://host/path`, `ssh://git@host/path` or `git@host:path`. The addresses of
 * Azure DevOps become `organization/project/repository` at `dev.azure.com`.
 *
 * @returns `null` when it is none of these
 */
export function parseRemoteUrl(text: string): RemoteAddress | null {
  const address = fromUrl(text) ?? fromScp(text);
  return address === null ? null : asAzure(address);
}

function fromUrl(text: string): RemoteAddress | null {
  if (!/^(https?|ssh|git):\/\//i.test(text) || !URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  return addressOf(hostname, pathname);
}

function fromScp(text: string): RemoteAddress | null {
  const [, host = '', path = ''] = /^(?:[^@\s/:]+@)?([A-Za-z0-9.-]+):(?!\/\/)(\S+)$/.exec(text) ?? [];
  return addressOf(host, path);
}

function addressOf(host: string, path: string): RemoteAddress | null {
  const plain = decoded(path)?.replace(/^\/+|\/+$/g, '') ?? '';
  return host === '' || plain === '' ? null : { host: host.toLowerCase(), path: plain };
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function asAzure({ host, path }: RemoteAddress): RemoteAddress {
  const azure = 'dev.azure.com';
  if (host === 'ssh.dev.azure.com') return { host: azure, path: path.replace(/^v3\//, '') };
  if (host === azure) return { host, path: path.replace('/_git/', '/') };
  const [, organization] = /^([a-z0-9-]+)\.visualstudio\.com$/.exec(host) ?? [];
  if (organization === undefined) return { host, path };
  return {
    host: azure,
    path: `${organization}/${path.replace(/^DefaultCollection\//i, '').replace('_git/', '')}`,
  };
}
