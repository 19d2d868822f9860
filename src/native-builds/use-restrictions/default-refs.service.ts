import { Injectable } from '@nestjs/common';
import { AppNotLinkedError } from '../../apps/repository/repository-not-found.error.js';
import { RepositoryRefsService } from '../../apps/repository/repository-refs.service.js';
import { AppError, invalidField } from '../../common/errors/app-error.js';
import { isRefPattern } from '../../common/ref-patterns.js';

/** Finds what new restricted objects are limited to when the request does not say it. */
@Injectable()
export class DefaultRefsService {
  constructor(private readonly repositories: RepositoryRefsService) {}

  /**
   * Asks the git server for the default branch of the app's repository. Waits for it, so call this before a transaction.
   *
   * @param userId who asks: a restricted connection is for its creator only
   * @returns the patterns for `allowedRefs`; none: the app has no repository
   * @throws InvalidRequestError when the branch cannot be read
   */
  async find(appId: string, userId: string): Promise<string[]> {
    let reason = 'its name cannot be a pattern.';
    try {
      const branch = await this.repositories.defaultBranchOf(appId, userId);
      if (branch === null) reason = 'the git server does not name it.';
      else if (isRefPattern(branch)) return [branch];
    } catch (error) {
      if (error instanceof AppNotLinkedError) return [];
      if (!(error instanceof AppError)) throw error;
      reason = error.message;
    }
    throw invalidField(
      'allowedRefs',
      `allowedRefs is required, because the default branch of the app cannot be read: ${reason}`,
    );
  }
}
