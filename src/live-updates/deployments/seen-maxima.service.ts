import { Injectable } from '@nestjs/common';
import { invalidField } from '../../common/errors/app-error.js';
import { type NativeMaxima, NO_MAXIMA, platformNames } from '../../common/native-maxima.js';
import type { Warning } from '../../common/warnings/warning.js';
import type { CreateDeploymentDto } from './create-deployment.dto.js';
import { SeenVersions } from './seen-versions.js';

/** Up to which native versions a deployment goes, and what may surprise about that. */
export interface ResolvedMaxima {
  readonly maxima: NativeMaxima;
  readonly warnings: readonly Warning[];
}

const platforms = ['android', 'ios', 'electron'] as const;

/** Finds out what `maxNativeVersion` of a request means now. */
@Injectable()
export class SeenMaximaService {
  constructor(private readonly versions: SeenVersions) {}

  /** @throws InvalidRequestError when no version of any platform was seen */
  async resolve(
    appId: string,
    { maxNativeVersion }: Pick<CreateDeploymentDto, 'maxNativeVersion'>,
  ): Promise<ResolvedMaxima> {
    if (maxNativeVersion == null) return { maxima: NO_MAXIMA, warnings: [] };
    const maxima = await this.versions.highest(appId);
    const without = platforms.filter((platform) => maxima[platform] === null);
    if (without.length === platforms.length) {
      throw invalidField(
        'maxNativeVersion',
        'maxNativeVersion must be absent until a native version was seen: enough devices must report it on two days.',
      );
    }
    return { maxima, warnings: without.length === 0 ? [] : [unseenWarning(without)] };
  }
}

function unseenWarning(without: readonly (typeof platforms)[number][]): Warning {
  const names = without.map((platform) => platformNames[platform]).join(' and ');
  const message = `No native version of ${names} was seen on two days by enough devices, so the deployment has no maximum there.`;
  return { code: 'native_version_unseen', message };
}
