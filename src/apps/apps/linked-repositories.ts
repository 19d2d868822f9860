import type { AppRepository } from '../repository/app-repository.entity.js';

/**
 * The repositories of apps as far as apps show them. The repository module provides it, because that imports apps.
 */
export abstract class LinkedRepositories {
  /** `null`: the app is not linked. */
  abstract find(appId: string): Promise<AppRepository | null>;
}
