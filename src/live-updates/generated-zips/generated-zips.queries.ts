import { Injectable } from '@nestjs/common';
import { accountOf } from '../../common/background/accounts.js';
import { type ClaimableRows, type ClaimedRow, MAX_ATTEMPTS } from '../../common/background/claimed-rows.js';
import { Sql } from '../../database/sql.js';
import type { Blob } from '../../storage/blobs/blob.entity.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';
import type { FilesBytes } from './files-bytes.js';

/** Longer than any zip takes. */
const CLAIMED_FOR = '10 minutes';

/** When a zip that could not be made, but is needed, is tried again. */
const NEEDED_AGAIN_AFTER = '1 day';

/** A claimed zip, which its worker makes. */
export interface ClaimedZip extends ClaimedRow {
  readonly bundleId: string;
  /** Of an earlier zip that was damaged; `null`: there was none. */
  readonly checksum: string | null;
}

/** A stored file of the bundle, or its manifest. */
export interface ZippedFile {
  readonly href: string;
  readonly blobId: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly sizeInBytes: number;
}

/** What became of a zip. */
interface SettledZip {
  readonly state: 'ready' | 'useless';
  readonly blobId: string | null;
  readonly checksum: string | null;
  readonly filesBytes: FilesBytes | null;
}

/** The files that devices download one by one: the named manifest instead of the uploaded one. $1: the bundle */
const DOWNLOADED_FILES = `bundle_files AS file JOIN blobs AS blob ON blob.id = file.blob_id
        WHERE file.bundle_id = $1 AND file.href <> '${MANIFEST_HREF}'`;

/** The statements about generated zips. */
@Injectable()
export class GeneratedZipsQueries implements ClaimableRows<ClaimedZip> {
  constructor(private readonly sql: Sql) {}

  /** The zip of a bundle of the app, if it has been made. */
  async find(appId: string, bundleId: string): Promise<Blob | null> {
    const [row] = await this.sql.query<Blob>(
      `SELECT blob.id, blob.sha256, blob.size_in_bytes AS "sizeInBytes", blob.damaged_at AS "damagedAt"
         FROM generated_zips AS zip
         JOIN bundles AS bundle ON bundle.id = zip.bundle_id AND bundle.app_id = $1
         JOIN blobs AS blob ON blob.id = zip.blob_id
        WHERE zip.bundle_id = $2 AND zip.state = 'ready'`,
      [appId, bundleId],
    );
    return row ?? null;
  }

  async request(bundleId: string): Promise<void> {
    await this.sql.execute('INSERT INTO generated_zips (bundle_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      bundleId,
    ]);
  }

  /**
   * Asks again for zips whose stored bytes are damaged, unless that happens again and again. They are not offered until
   * they have been made again.
   */
  async requestDamaged(): Promise<void> {
    await this.sql.execute(
      `UPDATE generated_zips AS zip SET state = 'pending', blob_id = NULL FROM blobs AS blob
        WHERE blob.damaged_at IS NOT NULL AND zip.blob_id = blob.id AND zip.attempts < ${MAX_ATTEMPTS}`,
    );
  }

  /**
   * Asks again for zips of deployed bundles without which some devices get nothing, because a file is empty: those that were
   * not worthwhile before this was known, and once a day those that could not be made.
   */
  async requestNeeded(): Promise<void> {
    await this.sql.execute(
      `UPDATE generated_zips AS zip SET state = 'pending', attempts = 0, claimed_until = NULL
        WHERE zip.state = 'useless' AND coalesce(zip.claimed_until < now(), true)
          AND EXISTS (SELECT FROM bundle_files AS file
                       WHERE file.bundle_id = zip.bundle_id AND file.size_in_bytes = 0)
          AND EXISTS (SELECT FROM build_artifacts AS artifact
                        JOIN deployments AS deployment ON deployment.build_id = artifact.build_id
                       WHERE artifact.id = zip.bundle_id)`,
    );
  }

  /**
   * Claims the zip that has waited longest, of those whose files have all the compressed forms that they will have: only
   * then the sizes can be compared.
   */
  async claim(except: readonly string[]): Promise<ClaimedZip | null> {
    const [claimed] = await this.sql.query<ClaimedZip>(
      `WITH next AS MATERIALIZED (
         SELECT zip.bundle_id, ${accountOf('organization')} AS account
           FROM generated_zips AS zip
           JOIN bundles AS bundle ON bundle.id = zip.bundle_id
           JOIN apps AS app ON app.id = bundle.app_id
           JOIN organizations AS organization ON organization.id = app.organization_id
          WHERE zip.state = 'pending' AND coalesce(zip.claimed_until < now(), true)
            AND ${accountOf('organization')} <> ALL($1)
            AND NOT EXISTS (SELECT FROM bundle_files AS file
                              JOIN blob_variants AS variant ON variant.blob_id = file.blob_id
                             WHERE file.bundle_id = zip.bundle_id AND variant.state IN ('pending', 'quick'))
          ORDER BY zip.created_at, zip.bundle_id LIMIT 1 FOR UPDATE OF zip SKIP LOCKED)
       UPDATE generated_zips AS claimed
          SET attempts = attempts + 1, claimed_until = now() + interval '${CLAIMED_FOR}'
         FROM next WHERE claimed.bundle_id = next.bundle_id
       RETURNING next.bundle_id AS "bundleId", attempts, checksum, next.account`,
      [except],
    );
    return claimed ?? null;
  }

  /** Whether zips wait that can be made soon. */
  async isAnyWaiting(): Promise<boolean> {
    const rows = await this.sql.query(
      `SELECT FROM generated_zips WHERE state = 'pending' AND coalesce(claimed_until < now(), true) LIMIT 1`,
    );
    return rows.length > 0;
  }

  async release({ bundleId }: ClaimedZip): Promise<void> {
    await this.sql.execute(
      `UPDATE generated_zips SET attempts = attempts - 1, claimed_until = NULL
        WHERE bundle_id = $1 AND state = 'pending'`,
      [bundleId],
    );
  }

  /** @param filesBytes what the files take one by one; `null`: not known */
  giveUp({ bundleId, checksum }: ClaimedZip, filesBytes: FilesBytes | null = null): Promise<void> {
    return this.settle(bundleId, { state: 'useless', blobId: null, checksum, filesBytes });
  }

  /** Records what became of a zip, unless another worker was faster. */
  async settle(bundleId: string, { state, blobId, checksum, filesBytes }: SettledZip): Promise<void> {
    await this.sql.execute(
      `UPDATE generated_zips
          SET state = $2, blob_id = $3, checksum = coalesce(checksum, $4), brotli_files_bytes = $5,
              gzip_files_bytes = $6,
              claimed_until = CASE $2 WHEN 'useless' THEN now() + interval '${NEEDED_AGAIN_AFTER}' END
        WHERE bundle_id = $1 AND state = 'pending'`,
      [bundleId, state, blobId, checksum, filesBytes?.br ?? null, filesBytes?.gzip ?? null],
    );
  }

  /** The files that devices download, by path. */
  async files(bundleId: string): Promise<Map<string, ZippedFile>> {
    const rows = await this.sql.query<ZippedFile>(
      `SELECT file.href, blob.id AS "blobId", blob.sha256, blob.size_in_bytes AS "sizeInBytes" FROM ${DOWNLOADED_FILES}`,
      [bundleId],
    );
    return new Map(rows.map((row) => [row.href, row]));
  }

  /** Bytes of the bodies with which the server sends the files: in the coding, or uncompressed. */
  async bodyBytes(bundleId: string, hrefs: readonly string[]): Promise<FilesBytes> {
    const [row] = await this.sql.query<FilesBytes>(
      `SELECT coalesce(sum(coalesce(br.size_in_bytes, blob.size_in_bytes)), 0)::bigint AS br,
              coalesce(sum(coalesce(gzip.size_in_bytes, blob.size_in_bytes)), 0)::bigint AS gzip
         FROM bundle_files AS file JOIN blobs AS blob ON blob.id = file.blob_id
         LEFT JOIN blob_variants AS br ON br.blob_id = blob.id AND br.encoding = 'br'
         LEFT JOIN blob_variants AS gzip ON gzip.blob_id = blob.id AND gzip.encoding = 'gzip'
        WHERE file.bundle_id = $1 AND file.href = ANY($2)`,
      [bundleId, [NAMED_MANIFEST_HREF, ...hrefs]],
    );
    return row ?? { br: 0, gzip: 0 };
  }
}
