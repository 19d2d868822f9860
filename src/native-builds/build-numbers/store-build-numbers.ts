import type { BuildNumbersOutcome, NumberedApp } from '../../common/build-numbers.js';

/**
 * What stores know about the build numbers of apps. Live updates provide it, because builds may not import submissions to
 * stores.
 */
export abstract class StoreBuildNumbers {
  /** @throws InvalidRequestError when no destination of the app can say which build numbers its store has */
  abstract requireSource(app: NumberedApp): Promise<void>;

  /**
   * Asks the store. Never call it inside a transaction.
   *
   * @param organizationId whose calls they are
   * @throws Error what is about this server
   */
  abstract ask(app: NumberedApp, organizationId: string): Promise<BuildNumbersOutcome>;
}
