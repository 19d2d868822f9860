import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { DEVICE_SAMPLE, DEVICES_PER_SAMPLED } from '../devices/device.entity.js';
import type { SimulatedDevice } from '../simulations/simulation.js';
import type { DeviceGroup } from './fleet.js';

/** Devices of an app that have checked in since a time of the server. */
export interface SeenDevices {
  readonly appId: string;
  readonly seenSince: Date;
}

/** A bundle that is to be changed. */
export interface ChangedBundle {
  readonly buildId: string;
  readonly channelId: string | null;
  readonly status: 'pending' | 'ready';
  readonly share: number;
}

/** A build that goes to a store. */
export interface NativeBuild {
  readonly platform: 'android' | 'ios';
  readonly createdAt: Date;
  /** As its file says; `null`: unknown. */
  readonly versionCode: string | null;
}

/** A rollout plan that runs or is held. */
export interface ActivePlan {
  readonly deploymentId: string;
  readonly state: 'running' | 'held';
}

const REPORTED = `devices.platform, devices.app_version_code AS "appVersionCode",
  devices.plugin_version AS "pluginVersion", devices.runtime, devices.bundle_id AS "bundleId",
  devices.requested_channel_names AS "requestedChannelNames", devices.forced_channel_id AS "forcedChannelId"`;

/** Reads what the warnings about a change are made of. */
@Injectable()
export class ConsequencesQueries {
  constructor(private readonly sql: Sql) {}

  /** @returns `null`: the app has no such bundle */
  async bundle(appId: string, bundleId: string): Promise<ChangedBundle | null> {
    const [row] = await this.sql.query<ChangedBundle>(
      `SELECT artifact.build_id AS "buildId", artifact.status, bundle.channel_id AS "channelId",
              bundle.rollout_percentage AS share
         FROM bundles AS bundle JOIN build_artifacts AS artifact ON artifact.id = bundle.id
        WHERE bundle.app_id = $1 AND bundle.id = $2`,
      [appId, bundleId],
    );
    return row ?? null;
  }

  /** A native build. @returns `null`: the app has no such build */
  async nativeBuild(appId: string, buildId: string): Promise<NativeBuild | null> {
    const [row] = await this.sql.query<NativeBuild>(
      `SELECT build.platform, build.created_at AS "createdAt", details.version_code AS "versionCode"
         FROM builds AS build
         LEFT JOIN LATERAL (
           SELECT artifact_details.version_code
             FROM build_artifacts JOIN artifact_details ON artifact_details.id = build_artifacts.id
            WHERE build_artifacts.build_id = build.id AND artifact_details.version_code IS NOT NULL
            ORDER BY artifact_details.form_factor NULLS FIRST LIMIT 1) AS details ON true
        WHERE build.app_id = $1 AND build.id = $2 AND build.platform IN ('android', 'ios')`,
      [appId, buildId],
    );
    return row ?? null;
  }

  /** The rollout plans of the deployments to a channel that run or are held. */
  activePlans(appId: string, channelId: string): Promise<ActivePlan[]> {
    return this.sql.query(
      `SELECT plan.deployment_id AS "deploymentId", plan.state
         FROM deployments AS deployment JOIN rollout_plans AS plan ON plan.deployment_id = deployment.id
        WHERE deployment.app_id = $1 AND deployment.channel_id = $2 AND plan.state IN ('running', 'held')`,
      [appId, channelId],
    );
  }

  /** Whether there are about so many devices or more, by the number of those in the sample. */
  async areMany({ appId, seenSince }: SeenDevices, many: number): Promise<boolean> {
    const sampled = Math.ceil(many / DEVICES_PER_SAMPLED);
    const rows = await this.sql.query(
      `SELECT FROM devices WHERE app_id = $1 AND last_seen_at >= $2 AND ${DEVICE_SAMPLE} LIMIT $3`,
      [appId, seenSince, sampled],
    );
    return rows.length === sampled;
  }

  /** The devices by what they have reported. @param sampled reads those of the sample only */
  groups({ appId, seenSince }: SeenDevices, sampled: boolean): Promise<DeviceGroup[]> {
    return this.sql.query(
      `SELECT ${REPORTED}, devices.app_version_name AS "appVersionName", count(*)::int AS devices FROM devices
        WHERE app_id = $1 AND last_seen_at >= $2 ${sampled ? `AND ${DEVICE_SAMPLE}` : ''}
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
      [appId, seenSince],
    );
  }

  /**
   * Devices that have rolled a bundle back in the native version that they have, and do not run it.
   *
   * @param most so many of them at most
   */
  rolledBack({ appId, seenSince }: SeenDevices, bundleId: string, most: number): Promise<SimulatedDevice[]> {
    return this.sql.query(
      `SELECT devices.id, ${REPORTED}
         FROM device_rollbacks AS rollback
         JOIN devices ON devices.app_id = rollback.app_id AND devices.id = rollback.device_id
                     AND devices.app_version_code = rollback.app_version_code
        WHERE rollback.app_id = $1 AND rollback.bundle_id = $3
          AND devices.last_seen_at >= $2 AND devices.bundle_id IS DISTINCT FROM $3
        LIMIT $4`,
      [appId, seenSince, bundleId, most],
    );
  }

  /** Some devices of an app; unknown ids are left out. */
  devices(appId: string, ids: readonly string[]): Promise<SimulatedDevice[]> {
    return this.sql.query(`SELECT id, ${REPORTED} FROM devices WHERE app_id = $1 AND id = ANY ($2)`, [
      appId,
      ids,
    ]);
  }
}
