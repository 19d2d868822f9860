import { build } from 'plist';
import { makeProfile } from './apple/profile.ts';
import { zipOfEntries } from './android/zip-of-entries.ts';
import { binaryPlist } from './binary-plist.ts';

/** An ipa to write. Everything has a default. */
export interface IpaDescription {
  readonly packageName?: string;
  readonly versionName?: string;
  readonly versionCode?: string;
  readonly label?: string;
  readonly minOsVersion?: string;
  /** `DTPlatformName`, such as `appletvos`; by default there is none. */
  readonly platformName?: string;
  /** `ITSAppUsesNonExemptEncryption`; by default there is none. */
  readonly usesNonExemptEncryption?: boolean;
  /** Which profile it has; by default `ad-hoc`; `null`: none. */
  readonly profile?: 'development' | 'ad-hoc' | 'app-store' | 'enterprise' | null;
  readonly teamId?: string;
  readonly expiresAt?: Date;
  /** How `Info.plist` is written; by default binary, as Xcode does. */
  readonly format?: 'binary' | 'xml';
  readonly entries?: Readonly<Record<string, Buffer>>;
}

/** Writes an ipa without code. */
export function makeIpa(app: IpaDescription = {}): Promise<Buffer> {
  const { format = 'binary', profile = 'ad-hoc' } = app;
  const info = {
    CFBundleIdentifier: app.packageName ?? 'com.example.app',
    CFBundleShortVersionString: app.versionName ?? '1.0.0',
    CFBundleVersion: app.versionCode ?? '1',
    CFBundleDisplayName: app.label ?? 'Example',
    CFBundleExecutable: 'App',
    MinimumOSVersion: app.minOsVersion ?? '15.0',
    ...(app.platformName === undefined ? {} : { DTPlatformName: app.platformName }),
    ...(app.usesNonExemptEncryption === undefined
      ? {}
      : { ITSAppUsesNonExemptEncryption: app.usesNonExemptEncryption }),
  };
  return zipOfEntries({
    'Payload/': Buffer.alloc(0),
    'Payload/App.app/': Buffer.alloc(0),
    'Payload/App.app/Info.plist': format === 'binary' ? binaryPlist(info) : Buffer.from(build(info)),
    ...(profile === null ? {} : { 'Payload/App.app/embedded.mobileprovision': profileOf(app, profile) }),
    'Payload/App.app/App': Buffer.from('cffaedfe', 'hex'),
    ...app.entries,
  });
}

function profileOf(
  { teamId, expiresAt, packageName }: IpaDescription,
  type: NonNullable<IpaDescription['profile']>,
): Buffer {
  return makeProfile({
    type,
    uuid: '6c1f9d6a-6f1f-4b8e-9a51-2f2a0c9d7c11',
    ...(teamId !== undefined && { teamId }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(packageName !== undefined && { bundleId: packageName }),
  });
}
