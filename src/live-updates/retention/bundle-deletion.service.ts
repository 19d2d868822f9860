import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { BuildsService } from '../../native-builds/builds/builds.service.js';
import { sql } from '../../database/sql.js';
import { RetiredDeploymentsService } from './retired-deployments.service.js';

/** Deletes bundles by rule, not on request. */
@Injectable()
export class BundleDeletionService {
  constructor(
    private readonly builds: BuildsService,
    private readonly retired: RetiredDeploymentsService,
  ) {}

  /**
   * Deletes a bundle with its build and its deployments if it is still due, in a transaction of its own. Skips one that is
   * in use: every request that deploys, publishes, holds or changes it locks one of the three rows. So this never waits,
   * and no request can use the bundle from then on.
   *
   * @param isDue decides again, in the transaction, after the locks
   * @returns whether it was deleted
   */
  deleteIf(appId: string, bundleId: string, isDue: () => Promise<boolean>): Promise<boolean> {
    return transaction(async () => {
      const [locked] = await sql<{ buildId: string }>(
        `SELECT build.id AS "buildId"
           FROM build_artifacts AS artifact
           JOIN builds AS build ON build.id = artifact.build_id
           JOIN bundles AS bundle ON bundle.id = artifact.id
          WHERE artifact.id = $1 FOR UPDATE SKIP LOCKED`,
        [bundleId],
      );
      // A statement of its own sees what was committed before the rows were locked.
      if (locked === undefined || !(await isDue())) return false;
      await this.retired.retire(bundleId);
      await this.builds.delete(appId, locked.buildId);
      await this.retired.prune(appId);
      return true;
    });
  }
}
