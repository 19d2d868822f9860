import { Injectable } from '@nestjs/common';
import type { NativeMaxima } from '../../common/native-maxima.js';
import { SeenVersions } from '../../live-updates/deployments/seen-versions.js';
import { platforms } from '../check-ins/device-report.js';
import type { Platform } from '../releases/release-table.js';
import { highestOf } from './highest-version.js';
import { NativeVersionsQueries } from './native-versions.queries.js';

/** Finds the native versions that devices have, as they were counted last. */
@Injectable()
export class SeenVersionsService extends SeenVersions {
  constructor(private readonly queries: NativeVersionsQueries) {
    super();
  }

  override async highest(appId: string): Promise<NativeMaxima> {
    const seen = await this.queries.seen(appId);
    const highest = (platform: Platform): string | null => {
      const versions = seen.filter((version) => platforms[version.platform] === platform);
      return highestOf(versions, platform)?.versionCode ?? null;
    };
    return { android: highest('android'), ios: highest('ios'), electron: highest('electron') };
  }
}
