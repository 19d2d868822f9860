import { AppError, InvalidRequestError } from '../../common/errors/app-error.js';

/** 404: no connection that the caller can use sees the repository. */
export class RepositoryNotFoundError extends AppError {
  constructor(message: string) {
    super(message, 'git_repository_not_found');
  }
}

/** 404: the app has no repository. */
export class AppNotLinkedError extends AppError {
  constructor(appId: string) {
    super(
      `The app is not linked to a repository: link one with "apps:link" of the command-line tool or PUT /v1/apps/${appId}/repository.`,
      'app_repository_not_found',
    );
  }
}

/** What is said of a repository that its server does not show. */
export const goneMessage = (path: string): string =>
  `The repository ${path} is gone, or can no longer be seen.`;

/** 400: the server says that it has no repository of this id, or shows none. */
export class RepositoryGoneError extends InvalidRequestError {
  constructor(path: string) {
    super(goneMessage(path), 'git_server_failed');
  }
}
