import { buffer } from 'node:stream/consumers';
import { parseBuffer } from 'bplist-parser';
import { parse } from 'plist';
import { openPromise } from 'yauzl';
import type { Platform } from '../state/connect-state.ts';

/** What Apple reads of an ipa. */
export interface UploadedIpa {
  readonly bundleId: string;
  readonly version: string;
  readonly buildNumber: string;
  readonly platform: Platform;
  readonly usesNonExemptEncryption: boolean | null;
  /** Of the profile; `null`: there is none. */
  readonly profile: 'app-store' | 'other' | null;
}

const INFO = /^Payload\/[^/]+\.app\/Info\.plist$/;
const PROFILE = /^Payload\/[^/]+\.app\/embedded\.mobileprovision$/;
/** `AscApiUtils.ts` of expo/eas-cli. */
const PLATFORM_NAMES: Readonly<Record<string, Platform>> = {
  appletvos: 'TV_OS',
  macosx: 'MAC_OS',
  xros: 'VISION_OS',
};

/** Reads an ipa. @returns `null` when it is none */
export async function readIpa(path: string): Promise<UploadedIpa | null> {
  let info: Readonly<Record<string, unknown>> | null = null;
  let profile: UploadedIpa['profile'] = null;
  try {
    const zip = await openPromise(path, {});
    for await (const entry of zip.eachEntry()) {
      const read = async (): Promise<Buffer> => buffer(await zip.openReadStreamPromise(entry));
      if (INFO.test(entry.fileName)) info = readPlist(await read());
      // Devices are named by development and ad-hoc profiles, or all are allowed by those of an enterprise.
      if (PROFILE.test(entry.fileName))
        profile = /ProvisionedDevices|ProvisionsAllDevices/.test((await read()).toString('latin1'))
          ? 'other'
          : 'app-store';
    }
  } catch {
    return null;
  }
  if (info === null) return null;
  const encryption = info['ITSAppUsesNonExemptEncryption'];
  return {
    bundleId: textOf(info['CFBundleIdentifier']),
    version: textOf(info['CFBundleShortVersionString']),
    buildNumber: textOf(info['CFBundleVersion']),
    platform: PLATFORM_NAMES[textOf(info['DTPlatformName'])] ?? 'IOS',
    usesNonExemptEncryption: typeof encryption === 'boolean' ? encryption : null,
    profile,
  };
}

function readPlist(bytes: Buffer): Readonly<Record<string, unknown>> {
  const value: unknown =
    bytes.toString('latin1', 0, 6) === 'bplist' ? parseBuffer<unknown>(bytes)[0] : parse(bytes.toString());
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
