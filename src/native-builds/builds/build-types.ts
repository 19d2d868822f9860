import { invalidField } from '../../common/errors/app-error.js';
import type { BuildPlatform } from './build.entity.js';

/** The types of builds by platform; the first is the default. */
export const buildTypes: Readonly<Record<BuildPlatform, readonly string[]>> = {
  android: ['debug', 'release'],
  ios: ['simulator', 'development', 'ad-hoc', 'app-store', 'enterprise'],
  web: [],
};

/**
 * The type of a new build.
 *
 * @param type as the request says; `null`: it says nothing
 * @returns `null` for web builds
 * @throws InvalidRequestError when the platform has no such type
 */
export function buildTypeOf(platform: BuildPlatform, type: string | null): string | null {
  const types = buildTypes[platform];
  if (type === null) return types[0] ?? null;
  if (types.includes(type)) return type;
  throw invalidField(
    'type',
    types.length === 0
      ? 'type must be absent: web builds have none.'
      : `type must be one of ${types.join(', ')} for ${platform}.`,
  );
}

/** @param configuration `null`: none @throws InvalidRequestError when a web build has one */
export function requireNative(platform: BuildPlatform, configuration: string | null): void {
  if (platform !== 'web' || configuration === null) return;
  throw invalidField(
    'appConfigurationId',
    'appConfigurationId must be absent: configurations are for Android and iOS.',
  );
}

/** Of what is deployed to channels. @throws InvalidRequestError for native builds */
export function requireWeb(platform: BuildPlatform): void {
  if (platform === 'web') return;
  throw invalidField(
    'appChannelIds',
    'appChannelIds must be absent: only web builds are deployed to channels.',
  );
}
