import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../common/errors/app-error.js';
import type { BundleType } from '../../live-updates/bundles/bundle.entity.js';
import { MANIFEST_HREF } from '../../live-updates/bundle-content/href.js';
import { NAMED_MANIFEST_HREF } from '../../live-updates/bundle-manifests/named-manifest.js';
import type { TransferDto, TransferSizesDto, UpdateTransferDto } from './transfer-sizes.dto.js';
import { Sql } from '../../database/sql.js';
import { downloadsEmptyFiles } from '../channel-decision/decision-request.js';

/** Bundles that are compared with that of the deployment. */
const COMPARED = 20;

/** Versions of the plugin that are looked at: devices may report anything. */
const MAX_VERSIONS = 1000;

/** The bundle of a deployment. */
interface Target {
  readonly bundleId: string;
  readonly channelId: string;
  readonly artifactType: BundleType;
  readonly zipSizeInBytes: number | null;
  readonly generatedZipSizeInBytes: number | null;
  readonly hasEmptyFiles: boolean;
}

/** Files of the target that some bundle lacks. */
interface Missing {
  readonly files: number;
  readonly filesSizeInBytes: number;
  readonly brotliSizeInBytes: number;
  readonly gzipSizeInBytes: number;
}

type Update = Missing &
  Pick<UpdateTransferDto, 'bundleId' | 'buildNumber' | 'devices' | 'channelDevices'> & {
    readonly type: BundleType;
    readonly deltaSizeInBytes: number | null;
  };

/** Adds up what devices fetch, in a fixed number of statements. */
@Injectable()
export class TransferSizesQueries {
  constructor(private readonly sql: Sql) {}

  /** @throws NotFoundError for an unknown deployment, or one whose bundle is not ready */
  async get(appId: string, deploymentId: string): Promise<TransferSizesDto> {
    const target = await this.target(appId, deploymentId);
    const [full] = await this.sql.query<Missing>(`SELECT ${SUMS} FROM ${FILES_OF_TARGET} AS file`, [
      target.bundleId,
    ]);
    const updates = await this.updates(appId, target);
    const zipOnlyDevices = target.hasEmptyFiles ? await this.zipOnlyDevices(appId, target) : 0;
    return {
      deploymentId,
      bundleId: target.bundleId,
      artifactType: target.artifactType,
      zipOnlyDevices,
      full: {
        ...toTransfer(target, full as Missing),
        ...(target.artifactType === 'manifest' ? { zipSizeInBytes: target.generatedZipSizeInBytes } : {}),
      },
      updates: updates.map((update) => toUpdate(target, update)),
    };
  }

  private async target(appId: string, deploymentId: string): Promise<Target> {
    const [target] = await this.sql.query<Target>(
      `SELECT artifact.id AS "bundleId", deployment.channel_id AS "channelId", artifact.type AS "artifactType",
              artifact.file_size_in_bytes AS "zipSizeInBytes",
              (SELECT blob.size_in_bytes FROM generated_zips AS zip JOIN blobs AS blob ON blob.id = zip.blob_id
                WHERE zip.bundle_id = bundle.id) AS "generatedZipSizeInBytes",
              artifact.type = 'manifest' AND EXISTS (
                SELECT FROM bundle_files AS file
                 WHERE file.bundle_id = bundle.id AND file.size_in_bytes = 0) AS "hasEmptyFiles"
         FROM deployments AS deployment
         JOIN build_artifacts AS artifact
           ON artifact.build_id = deployment.build_id AND artifact.status = 'ready'
         JOIN bundles AS bundle ON bundle.id = artifact.id
        WHERE deployment.app_id = $1 AND deployment.id = $2`,
      [appId, deploymentId],
    );
    if (target === undefined) throw new NotFoundError('Deployment');
    return target;
  }

  /** Devices of the channel that cannot download empty files. */
  private async zipOnlyDevices(appId: string, { channelId }: Target): Promise<number> {
    const versions = await this.sql.query<{ pluginVersion: string; devices: number }>(
      `SELECT plugin_version AS "pluginVersion", count(*)::int AS devices FROM devices
        WHERE app_id = $1 AND coalesce(forced_channel_id, channel_id) = $2
          AND platform = 1 AND runtime IS NULL AND plugin_version ~ '^[67][.]'
        GROUP BY plugin_version ORDER BY count(*) DESC LIMIT ${MAX_VERSIONS}`,
      [appId, channelId],
    );
    return versions
      .filter(({ pluginVersion }) => !downloadsEmptyFiles({ platform: 'ios', pluginVersion }))
      .reduce((sum, { devices }) => sum + devices, 0);
  }

  /** What a device with a zip has is not known file by file: it fetches everything. */
  private updates(appId: string, { bundleId, channelId }: Target): Promise<Update[]> {
    return this.sql.query<Update>(
      `WITH other AS (
         SELECT artifact.id, artifact.type, bundle.signed, build.number, sum(reported.devices)::int AS devices,
                sum(reported.channel_devices)::int AS channel_devices
           FROM (SELECT deployment_id, count(*) AS devices,
                        count(*) FILTER (WHERE coalesce(forced_channel_id, channel_id) = $3) AS channel_devices
                   FROM devices WHERE app_id = $2 AND deployment_id IS NOT NULL
                  GROUP BY deployment_id) AS reported
           JOIN deployments AS deployment ON deployment.id = reported.deployment_id AND deployment.app_id = $2
           JOIN builds AS build ON build.id = deployment.build_id
           JOIN build_artifacts AS artifact ON artifact.build_id = build.id AND artifact.status = 'ready'
           JOIN bundles AS bundle ON bundle.id = artifact.id
          WHERE artifact.id <> $1
          GROUP BY artifact.id, artifact.type, bundle.signed, build.number
          ORDER BY build.number DESC LIMIT ${COMPARED}),
       known AS (
         SELECT other.id, file.href, blob.sha256
           FROM other JOIN bundle_files AS file ON file.bundle_id = other.id AND file.href <> '${MANIFEST_HREF}'
           JOIN blobs AS blob ON blob.id = file.blob_id
          WHERE other.type = 'manifest' AND other.signed = (SELECT signed FROM bundles WHERE id = $1))
       SELECT other.id AS "bundleId", other.type, other.number AS "buildNumber", other.devices,
              other.channel_devices AS "channelDevices", delta.size_in_bytes AS "deltaSizeInBytes", missing.*
         FROM other
         JOIN LATERAL (
           SELECT ${SUMS} FROM ${FILES_OF_TARGET} AS file
            WHERE file.href = '${MANIFEST_HREF}' OR NOT EXISTS (
              SELECT FROM known WHERE known.id = other.id AND known.sha256 = file.sha256
                 AND known.href = file.href)) AS missing ON true
         LEFT JOIN (bundle_deltas JOIN blobs AS delta ON delta.id = bundle_deltas.blob_id)
           ON bundle_deltas.to_bundle_id = $1 AND bundle_deltas.from_bundle_id = other.id
        ORDER BY other.number DESC`,
      [bundleId, appId, channelId],
    );
  }
}

/** $1: the bundle. Unsigned bundles are downloaded with the named manifest instead of the uploaded one. */
const FILES_OF_TARGET = `(
  SELECT CASE file.href WHEN '${NAMED_MANIFEST_HREF}' THEN '${MANIFEST_HREF}' ELSE file.href END AS href, blob.sha256, blob.size_in_bytes,
         coalesce(brotli.size_in_bytes, gzip.size_in_bytes, blob.size_in_bytes) AS brotli_size_in_bytes,
         coalesce(gzip.size_in_bytes, blob.size_in_bytes) AS gzip_size_in_bytes
    FROM bundle_files AS file
    JOIN blobs AS blob ON blob.id = file.blob_id
    LEFT JOIN blob_variants AS brotli ON brotli.blob_id = blob.id AND brotli.encoding = 'br'
    LEFT JOIN blob_variants AS gzip ON gzip.blob_id = blob.id AND gzip.encoding = 'gzip'
   WHERE file.bundle_id = $1
     AND (file.href <> '${MANIFEST_HREF}' OR NOT EXISTS (
       SELECT FROM bundle_files AS named WHERE named.bundle_id = $1 AND named.href = '${NAMED_MANIFEST_HREF}')))`;

const SUMS = `count(*)::int AS files, coalesce(sum(file.size_in_bytes), 0)::bigint AS "filesSizeInBytes",
  coalesce(sum(file.brotli_size_in_bytes), 0)::bigint AS "brotliSizeInBytes",
  coalesce(sum(file.gzip_size_in_bytes), 0)::bigint AS "gzipSizeInBytes"`;

const NO_FILES = { files: null, filesSizeInBytes: null, brotliSizeInBytes: null, gzipSizeInBytes: null };

function toTransfer({ artifactType, zipSizeInBytes }: Target, missing: Missing): TransferDto {
  if (artifactType === 'zip') {
    return { zipSizeInBytes, ...NO_FILES };
  }
  const { files, filesSizeInBytes, brotliSizeInBytes, gzipSizeInBytes } = missing;
  return { zipSizeInBytes: null, files, filesSizeInBytes, brotliSizeInBytes, gzipSizeInBytes };
}

function toUpdate(target: Target, update: Update): UpdateTransferDto {
  const { bundleId, buildNumber, devices, channelDevices, type, deltaSizeInBytes } = update;
  const hasDelta = target.artifactType === 'manifest' && type === 'manifest';
  return {
    bundleId,
    buildNumber,
    devices,
    channelDevices,
    ...toTransfer(target, update),
    deltaSizeInBytes: hasDelta ? (deltaSizeInBytes ?? update.filesSizeInBytes) : null,
    deltaIsEstimated: hasDelta ? deltaSizeInBytes === null : null,
  };
}
