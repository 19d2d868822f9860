import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { RetentionQueries } from './retention.queries.js';
import { RetiredDeploymentsQueries } from './retired-deployments.queries.js';

/** Deletes bundles by rule, not on request. */
@Injectable()
export class BundleDeletionService {
  constructor(
    private readonly builds: BuildsService,
    private readonly queries: RetentionQueries,
    private readonly retired: RetiredDeploymentsQueries,
  ) {}

  /**
   * Deletes a bundle with its build and its deployments if it is still due, in a separate transaction. Skips one that
   * is in use: every request that deploys, publishes, holds or changes it locks one of the three rows. So this never
   * waits, and no request can use the bundle from then on.
   *
   * @param isDue decides again, in the transaction, after the locks
   * @returns whether it was deleted
   */
  deleteIf(appId: string, bundleId: string, isDue: () => Promise<boolean>): Promise<boolean> {
    return transaction(async () => {
      const buildId = await this.queries.lockBuild(bundleId);
      // A separate statement sees what was committed before the rows were locked.
      if (buildId === null || !(await isDue())) return false;
      await this.retired.retire(bundleId);
      await this.builds.delete(appId, buildId);
      await this.retired.prune(appId);
      return true;
    });
  }
}
