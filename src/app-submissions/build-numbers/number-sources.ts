import type { BuildFormFactor, NumberedApp } from '../../common/build-numbers.js';
import type { Destination } from '../destinations/destination.entity.js';
import { formFactorOf } from './version-codes.js';

/** A service account and the app in Google Play that it can ask about. */
export interface PlaySource {
  readonly appId: string;
  readonly googleKeyId: string;
  readonly packageName: string;
}

/** A key of App Store Connect and the app that it can ask about. */
export interface AppleSource {
  readonly appId: string;
  readonly keyFileId: string;
  readonly apiKeyId: string;
  /** `null`: an individual key. */
  readonly issuerId: string | null;
  /** Apple's id of the app; `null`: `bundleId` finds it. */
  readonly appleAppId: string | null;
  /** `null`: that of `appleAppId`. */
  readonly bundleId: string | null;
}

/** Whom to ask for the build numbers of an app, in this order. */
export type NumberSources =
  /** @param formFactor whose version codes count */
  | {
      readonly store: 'google-play';
      readonly sources: readonly PlaySource[];
      readonly formFactor: BuildFormFactor;
    }
  | { readonly store: 'apple-app-store-connect'; readonly sources: readonly AppleSource[] }
  /** @param missing one sentence that says what to do */
  | { readonly store: null; readonly missing: string };

/** Finds the destinations that know the build numbers of an app. @param destinations of the app and platform, by name */
export function numberSourcesOf(app: NumberedApp, destinations: readonly Destination[]): NumberSources {
  return app.platform === 'android' ? playSourcesOf(app, destinations) : appleSourcesOf(app, destinations);
}

function playSourcesOf(app: NumberedApp, destinations: readonly Destination[]): NumberSources {
  const { appId, packageName } = app;
  const complete = destinations.filter(
    ({ type, googleKeyId, androidPackageName }) =>
      type === 'google-play' && googleKeyId !== null && androidPackageName !== null,
  );
  if (complete.length === 0) {
    return none(
      'no destination of the app in Google Play has androidPackageName and appGoogleServiceAccountKeyId: create one, or set another buildNumber.',
    );
  }
  const fitting = complete.filter(
    ({ androidPackageName }) => packageName === null || androidPackageName === packageName,
  );
  if (fitting.length === 0) {
    return none(
      `no complete destination of the app in Google Play is for the package ${packageName}: create one, or change packageName of the configuration.`,
    );
  }
  if (new Set(fitting.map(({ androidPackageName }) => androidPackageName)).size > 1) {
    return none(
      'the destinations of the app in Google Play are for several packages: set packageName of the configuration.',
    );
  }
  const sources = fitting.map(({ googleKeyId, androidPackageName }) => ({
    appId,
    googleKeyId: googleKeyId ?? '',
    packageName: androidPackageName ?? '',
  }));
  return { store: 'google-play', sources: distinct(sources), formFactor: formFactorFor(app, fitting) };
}

/** As the configuration says, else the track of the destination, else all tracks of the package; phones, if these differ. */
function formFactorFor(
  { formFactor, destinationId }: NumberedApp,
  destinations: readonly Destination[],
): BuildFormFactor {
  if (formFactor !== null) return formFactor;
  const named = destinations.filter(({ id }) => id === destinationId);
  const tracks = (named.length > 0 ? named : destinations).flatMap(
    ({ googlePlayTrack }) => googlePlayTrack ?? [],
  );
  const [only = 'phone', other] = new Set(tracks.map(formFactorOf));
  return other === undefined ? only : 'phone';
}

function appleSourcesOf(
  { appId, packageName: bundleId }: NumberedApp,
  destinations: readonly Destination[],
): NumberSources {
  const all = destinations.flatMap((destination): AppleSource[] => {
    const { type, appleKeyFileId: keyFileId, appleApiKeyId: apiKeyId, appleIssuerId: issuerId } = destination;
    if (type !== 'apple-app-store-connect' || keyFileId === null || apiKeyId === null) return [];
    return [{ appId, keyFileId, apiKeyId, issuerId, appleAppId: destination.appleAppId, bundleId }];
  });
  if (all.length === 0) {
    return none(
      'no destination of the app in App Store Connect has appAppleApiKeyId and appleApiKeyId: create one, or set another buildNumber.',
    );
  }
  const sources = all.filter(({ appleAppId }) => bundleId !== null || appleAppId !== null);
  if (sources.length === 0) {
    return none(
      'no destination of the app in App Store Connect says which app it is for: set appleAppId at the destination, or packageName of the configuration.',
    );
  }
  if (bundleId === null && new Set(sources.map(({ appleAppId }) => appleAppId)).size > 1) {
    return none(
      'the destinations of the app in App Store Connect are for several apps: set packageName of the configuration.',
    );
  }
  return { store: 'apple-app-store-connect', sources: distinct(sources) };
}

function none(reason: string): NumberSources {
  return { store: null, missing: `The build number cannot come from the store: ${reason}` };
}

/** Destinations for several tracks or groups have the same key. */
function distinct<T>(sources: readonly T[]): T[] {
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()];
}
