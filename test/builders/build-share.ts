import { expectCreated } from '../support/http/expect-created.js';
import type { TestApp } from './app.js';

/** A share as the API shows it. */
export interface TestShare {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string | null;
  readonly hasPassword: boolean;
}

/** Shares a build that has succeeded. */
export async function createBuildShare(
  app: TestApp,
  buildId: string,
  values: object = {},
): Promise<TestShare> {
  return expectCreated(await app.api.post(`${app.path}/builds/${buildId}/shares`, values));
}
