import { type FieldError, invalidField, invalidFields } from '../../common/errors/app-error.js';
import type { GitProvider } from '../../organizations/git-connections/git-connection.entity.js';
import { parseRepositoryPath } from '../../organizations/git-remotes/repository-path.js';
import type { LinkRepositoryDto } from './link-repository.dto.js';

/** What a request wants to link. */
export type LinkTarget =
  | { readonly gitConnectionId: string; readonly path: string }
  | { readonly provider: GitProvider; readonly path: string };

/** Reads either form of the body. @throws InvalidRequestError */
export function linkTargetOf(dto: LinkRepositoryDto): LinkTarget {
  const { gitConnectionId, path, provider, ownerSlug, projectSlug, repositorySlug } = dto;
  if (gitConnectionId !== undefined || path !== undefined) {
    if (gitConnectionId === undefined || path === undefined) throw missing({ gitConnectionId, path });
    return { gitConnectionId, path };
  }
  if (provider === undefined || ownerSlug === undefined || repositorySlug === undefined) {
    throw missing({ provider, ownerSlug, repositorySlug });
  }
  const parts = [ownerSlug, ...(projectSlug === undefined ? [] : [projectSlug]), repositorySlug];
  return { provider: provider === 'azure' ? 'azure_devops' : provider, path: parts.join('/') };
}

/** @throws InvalidRequestError when it cannot be the path of a repository of the provider */
export function requirePath(provider: GitProvider, text: string): string {
  const path = parseRepositoryPath(text, provider === 'git_http');
  if (path === null) throw invalidField('path', 'path must be the path of a repository, such as acme/shop.');
  const parts = path.split('/').length;
  if (provider === 'azure_devops' && parts !== 3) {
    throw invalidField('path', 'path must be organization/project/repository for azure_devops.');
  }
  if (provider !== 'git_http' && parts < 2) throw invalidField('path', 'path must be owner/repository.');
  return path;
}

function missing(fields: Readonly<Record<string, unknown>>): Error {
  const errors: FieldError[] = Object.entries(fields)
    .filter(([, value]) => value === undefined)
    .map(([field]) => ({ field, message: `${field} is required.` }));
  return invalidFields(errors);
}
