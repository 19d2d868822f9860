import type { OpenRange } from '../../storage/zips/range-reader.js';
import type { ApplePlatform } from '../../common/apple-platforms.js';
import type { ProfileType } from '../../common/provisioning-profiles.js';
import type { FormFactor, SignerScheme } from '../artifact-details/artifact-details.entity.js';

/** The types of artifacts that are read. */
export const readableTypes = ['apk', 'aab', 'ipa', 'app'] as const;
export type ReadableType = (typeof readableTypes)[number];

/** A stored file that is announced as an artifact of a type. */
export interface ArtifactFile {
  readonly type: ReadableType;
  readonly sizeInBytes: number;
  readonly openRange: OpenRange;
}

/** Who signed a file. It is read out of the file, not verified. */
export interface ArtifactSigner {
  readonly scheme: SignerScheme;
  /** Of the certificate, as one line; `null`: the file has none that can be read. */
  readonly subject: string | null;
  /** Of the certificate in DER, as pairs of upper-case hexadecimal digits with colons between them. */
  readonly sha256: string | null;
  /** Of a profile, else of the certificate. */
  readonly expiresAt: Date | null;
  /** Of Apple; `null`: for Android. */
  readonly teamId: string | null;
  /** `null`: for Android. */
  readonly profileType: ProfileType | null;
  /** Bundle id that the profile is for, with `*` for any rest; `null`: for Android, or not known. */
  readonly profileBundleId: string | null;
  /** Devices that the profile lists; `null`: it lists none. */
  readonly deviceCount: number | null;
}

export interface ArtifactIcon {
  readonly bytes: Buffer;
  readonly mimeType: 'image/png' | 'image/webp';
}

/** What an app for Android or iOS says about itself. */
export interface ArtifactFacts {
  /** Application id or bundle id. */
  readonly packageName: string;
  readonly versionName: string | null;
  /** `versionCode` with `versionCodeMajor`, or `CFBundleVersion`. */
  readonly versionCode: string | null;
  readonly minSdkVersion: number | null;
  readonly targetSdkVersion: number | null;
  /** Of iOS. */
  readonly minOsVersion: string | null;
  /** The name below the icon. */
  readonly label: string | null;
  /** `null`: phones and tablets. */
  readonly formFactor: FormFactor | null;
  readonly debuggable: boolean;
  /** What it runs on; `null`: for Android, or something else. */
  readonly applePlatform: ApplePlatform | null;
  /** `ITSAppUsesNonExemptEncryption`; `null`: for Android, or it says nothing. */
  readonly usesNonExemptEncryption: boolean | null;
  /** `null`: unsigned. */
  readonly signer: ArtifactSigner | null;
  /** `null`: none that can be shown. */
  readonly icon: ArtifactIcon | null;
}
