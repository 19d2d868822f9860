import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { PromotableSubmission } from './promotion.js';
import type { EarlierSubmission } from './submitted-once.js';

/** SQL of deployments to stores. */
@Injectable()
export class StoreDeploymentsQueries {
  constructor(private readonly sql: Sql) {}

  /** The SHA-256 of the certificate of the last release of a package by an app; `null`: there was none. */
  async lastSigner(appId: string, packageName: string): Promise<string | null> {
    const [last] = await this.sql.query<{ signer: string }>(
      `SELECT signer_sha256 AS signer FROM submissions
        WHERE app_id = $1 AND package_name = $2 AND type = 'google-play' AND signer_sha256 IS NOT NULL
          AND state IN ('prepared', 'failed_with_action_required', 'finished_manually')
        ORDER BY id DESC LIMIT 1`,
      [appId, packageName],
    );
    return last?.signer ?? null;
  }

  /** Submissions to a destination of a package with a version code, the newest first. */
  earlier(destinationId: string, packageName: string, versionCode: string): Promise<EarlierSubmission[]> {
    return this.sql.query(
      `SELECT submissions.id, action, submissions.state, version_name AS "versionName", sha256, releases.status AS "releaseStatus"
         FROM submissions LEFT JOIN store_releases AS releases ON releases.id = submissions.id
        WHERE destination_id = $1 AND package_name = $2 AND version_code = $3 AND release_id IS NULL
        ORDER BY submissions.id DESC`,
      [destinationId, packageName, versionCode],
    );
  }

  /**
   * The files of a package that an app has sent to tracks of Google Play: those with a hash, and those of a build, the newest
   * first.
   *
   * @param sha256 in lower-case hexadecimal; `null`: only those of the build
   */
  promotable(
    appId: string,
    packageName: string,
    buildId: string,
    sha256: string | null,
  ): Promise<PromotableSubmission[]> {
    return this.sql.query(
      `SELECT artifact_id AS "artifactId", artifact_type AS "artifactType", blob_id AS "blobId",
              size_in_bytes::float8 AS "sizeInBytes", sha256, package_name AS "packageName",
              version_name AS "versionName", version_code AS "versionCode", signer_sha256 AS "signerSha256", track,
              deployments.build_id = $3 AS "isOfBuild"
         FROM submissions JOIN deployments ON deployments.id = submissions.id
        WHERE submissions.app_id = $1 AND package_name = $2 AND type = 'google-play' AND track IS NOT NULL
          AND state IN ('prepared', 'failed_with_action_required', 'finished_manually')
          AND (deployments.build_id = $3 OR sha256 = $4)
        ORDER BY submissions.id DESC LIMIT 100`,
      [appId, packageName, buildId, sha256],
    );
  }
}
