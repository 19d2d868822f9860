import type { Destination } from '../destinations/destination.entity.js';
import type { AppStoreConnectClient } from '../app-store-connect/api/app-store-connect-client.js';
import type { AppleApp, BetaGroup } from '../app-store-connect/api/apple-resources.js';
import { CONNECT_APPS } from '../app-store-connect/apple-pages.js';
import { StoreRefusal } from '../calls/refusals/refusal.js';
import { failed, failedBy, passed } from './check-results.js';
import type { DestinationCheckDto } from './destination-check.dto.js';

export interface Found<T> {
  readonly checks: readonly DestinationCheckDto[];
  /** `null`: nothing that others could use. */
  readonly value: T | null;
}

/** It only matters whether the question is allowed. */
const ANY_VERSION = { version: '1', buildNumber: '1' };

const SIGNED_IN = passed('sign_in', 'App Store Connect accepts the key.');
const AGREED = passed('agreements', 'App Store Connect asks for no agreement.');
const MAY_READ = passed(
  'role',
  'The key may read uploads of builds and TestFlight groups of the app. Whether it may upload, and send builds to beta review, only a submission shows: App Manager is the role that may.',
);

/** Signs in. @returns apps that the key can see, so many at most */
export async function checkSignIn(
  client: AppStoreConnectClient,
  { appleIssuerId }: Destination,
  limit: number,
): Promise<Found<AppleApp[]>> {
  try {
    return { checks: [SIGNED_IN, AGREED], value: await client.apps(limit) };
  } catch (error) {
    // Apple answers 403 only to a key that it knows.
    if (error instanceof StoreRefusal && error.status === 403) {
      return { checks: [SIGNED_IN, ...forbidden(error)], value: null };
    }
    const check = failedBy('sign_in', error);
    const isRefused = error instanceof StoreRefusal && error.status === 401;
    const hint = ' If the key is one of the team, it needs appleIssuerId as well.';
    const message = isRefused && appleIssuerId === null ? check.message + hint : check.message;
    return { checks: [{ ...check, message }], value: null };
  }
}

function forbidden(error: StoreRefusal): DestinationCheckDto[] {
  const isAboutTeam = ['store_agreements_missing', 'store_membership_ended'].includes(error.refusal.code);
  return isAboutTeam ? [failedBy('agreements', error)] : [AGREED, failedBy('role', error)];
}

/**
 * Looks for the app of the destination: the one of `appleAppId`, else the one of its last submission.
 *
 * @param lastBundleId `null`: nothing was submitted yet
 * @param canSeeApps whether the key can see any app
 */
export async function checkApp(
  client: AppStoreConnectClient,
  { appleAppId }: Destination,
  lastBundleId: string | null,
  canSeeApps: boolean,
): Promise<Found<AppleApp>> {
  if (appleAppId === null && lastBundleId === null) return { checks: [withoutApp(canSeeApps)], value: null };
  try {
    const app =
      appleAppId === null
        ? (await client.appsByBundleId(lastBundleId ?? ''))[0]
        : await client.app(appleAppId);
    if (app === undefined) return { checks: [unknownBundleId(lastBundleId ?? '')], value: null };
    const said = `The key can see the app ${app.name}. Its bundle id is ${app.bundleId}: an ipa must have the same.`;
    return { checks: [passed('app', said)], value: app };
  } catch (error) {
    return { checks: [failedBy('app', error)], value: null };
  }
}

function withoutApp(canSeeApps: boolean): DestinationCheckDto {
  return canSeeApps
    ? passed(
        'app',
        'The destination names no app, so the bundle id of the ipa decides. Set appleAppId to check the app and its TestFlight groups before a submission.',
      )
    : failed(
        'app',
        'The key can see no app. Create the app in App Store Connect, or let the key see it.',
        CONNECT_APPS,
      );
}

function unknownBundleId(bundleId: string): DestinationCheckDto {
  return failed(
    'app',
    `App Store Connect shows this key no app with the bundle id ${bundleId}, which the last submission has. Check that the key belongs to the team of the app.`,
    CONNECT_APPS,
  );
}

/** Reads what submissions read. @returns the TestFlight groups of the app */
export async function checkRole(
  client: AppStoreConnectClient,
  appleAppId: string,
): Promise<Found<BetaGroup[]>> {
  try {
    await client.buildUploads(appleAppId, 'ios', ANY_VERSION);
    return { value: await client.betaGroups(appleAppId), checks: [MAY_READ] };
  } catch (error) {
    return { checks: [failedBy('role', error)], value: null };
  }
}
