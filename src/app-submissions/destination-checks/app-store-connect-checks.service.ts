import { Injectable } from '@nestjs/common';
import type { AppStoreConnectClient } from '../app-store-connect/api/app-store-connect-client.js';
import { AppStoreConnect } from '../app-store-connect/api/app-store-connect-client.js';
import type { AppleApp, BetaGroup } from '../app-store-connect/api/apple-resources.js';
import { CONNECT_APPS } from '../app-store-connect/apple-pages.js';
import { StoreRefusal } from '../calls/refusals/refusal.js';
import type { StoreSession } from '../calls/store-session.js';
import { nearMiss } from '../calls/store-text.js';
import type { Destination } from '../destinations/destination.entity.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import { SubmissionsService } from '../submissions/submissions.service.js';
import {
  configurationCheck,
  type DestinationCheckDto,
  type DestinationVerificationDto,
  failed,
  failedBy,
  passed,
  type VisibleAppDto,
} from './destination-check.dto.js';

/** Names that a sentence lists. */
const MOST_NAMES = 10;

/** Apps that are listed besides that of the destination. */
const MAX_OTHERS = 20;

/** Asks App Store Connect what a destination is good for. It only reads. */
@Injectable()
export class AppStoreConnectChecks {
  constructor(
    private readonly keys: StoreKeysService,
    private readonly submissions: SubmissionsService,
    private readonly connect: AppStoreConnect,
  ) {}

  /** @param session calls that are not recorded, and have little time, because a person waits */
  async verify(destination: Destination, session: StoreSession): Promise<DestinationVerificationDto> {
    const { id, appId, appleKeyFileId, appleApiKeyId: keyId, appleIssuerId: issuerId } = destination;
    const configuration = configurationOf(destination);
    if (appleKeyFileId === null || keyId === null) return verificationOf([configuration], []);
    const privateKeyPem = await this.keys.openAppleKey(appId, appleKeyFileId);
    const client = this.connect.clientOf(session, { keyId, issuerId, privateKeyPem });
    const checks = [configuration];
    const keep = <T>(found: Found<T>): T | null => {
      checks.push(...found.checks);
      return found.value;
    };
    const seen = keep(await checkSignIn(client, destination, MAX_OTHERS + 1));
    if (seen === null) return verificationOf(checks, []);
    const last = await this.submissions.lastPackageOf(id);
    const match = keep(await checkApp(client, destination, last, seen.length > 0));
    const groups = match === null ? null : keep(await checkRole(client, match.id));
    if (groups !== null) checks.push(checkGroups(destination.appleBetaGroups, groups));
    return verificationOf(checks, toVisible(match, seen));
  }
}

function verificationOf(checks: DestinationCheckDto[], apps: VisibleAppDto[]): DestinationVerificationDto {
  return { ok: checks.every(({ ok }) => ok), checks, accountEmail: null, apps };
}

/** The app of the destination first. */
function toVisible(match: AppleApp | null, seen: readonly AppleApp[]): VisibleAppDto[] {
  const others = seen.filter(({ id }) => id !== match?.id).slice(0, MAX_OTHERS);
  return [...(match === null ? [] : [match]), ...others].map((app) => ({
    appleAppId: app.id,
    name: app.name,
    bundleId: app.bundleId,
    isMatch: app === match,
  }));
}

function configurationOf(destination: Destination): DestinationCheckDto {
  const { appleId, appleKeyFileId, appleApiKeyId, appleIssuerId } = destination;
  if (appleId !== null && appleKeyFileId === null) {
    return failed(
      'configuration',
      'Slipway does not sign in with an Apple ID: create an API key in App Store Connect, upload its .p8, and set appAppleApiKeyId, appleApiKeyId and appleIssuerId at the destination.',
    );
  }
  const missing = [
    ...(appleKeyFileId === null ? ['appAppleApiKeyId'] : []),
    ...(appleApiKeyId === null ? ['appleApiKeyId'] : []),
  ];
  return configurationCheck(
    missing,
    appleIssuerId === null
      ? 'The destination has all fields that a submission needs. It has no appleIssuerId, so the key must be an individual one.'
      : 'The destination has all fields that a submission needs.',
  );
}

/** Whether an app has the TestFlight groups that a destination names. @param groups all of the app */
function checkGroups(names: readonly string[], groups: readonly BetaGroup[]): DestinationCheckDto {
  if (names.length === 0) {
    return passed('groups', 'The destination names no TestFlight groups: a build goes to TestFlight alone.');
  }
  const found = (name: string): BetaGroup[] => groups.filter((group) => group.name === name);
  const missing = names.filter((name) => found(name).length === 0);
  if (missing.length > 0) {
    const all = groups.map(({ name }) => name);
    const [near] = missing.flatMap((name) => nearMiss(name, all) ?? []);
    return failed(
      'groups',
      `The app has no TestFlight group ${listOf(missing)}. It has ${listOf(all)}: names are compared exactly${near === undefined ? '' : `, and ${near}`}.`,
    );
  }
  const twice = names.filter((name) => found(name).length > 1);
  if (twice.length > 0) {
    return failed('groups', `The app has several TestFlight groups ${listOf(twice)}: rename all but one.`);
  }
  const isExternal = names.some((name) => found(name).some(({ isInternal }) => !isInternal));
  return passed(
    'groups',
    `The app has the TestFlight groups ${listOf(names)}.${isExternal ? ' Testers who are external get a build after its beta review.' : ''}`,
  );
}

function listOf(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

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
