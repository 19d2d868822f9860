import type { KeystoreField } from '../../common/keystores/keystore.js';
import type { ProfileType } from '../../common/provisioning-profiles.js';
import type { CertificatePlatform, CertificateType } from '../certificates/certificate.entity.js';

/** A certificate file with what opens it. */
export interface CertificateFile {
  readonly platform: CertificatePlatform;
  readonly file: Buffer;
  /** `null`: none. */
  readonly password: string | null;
  readonly keyAlias: string | null;
  readonly keyPassword: string | null;
}

/** What a file says about itself. */
export interface CertificateFacts {
  /** `null`: the file does not say. */
  readonly type: CertificateType | null;
  /** `null`: never. */
  readonly expiresAt: Date | null;
  /** The key in a keystore; `null`: the file is none. */
  readonly keyAlias: string | null;
  /** Whom the certificate is made out to; `null`: the file has none. */
  readonly subject: string | null;
  /** SHA-256 of the certificate, as pairs of upper-case hexadecimal digits with colons between them; `null`: the file has none. */
  readonly sha256Fingerprint: string | null;
  /** The team of Apple that a certificate for iOS belongs to; `null`: of another platform. */
  readonly teamId: string | null;
  /** The private key that signs live updates, as PKCS#8 in DER, without a password; `null`: of another platform. */
  readonly signingKey: Buffer | null;
}

/** As `CertificateFacts`, with the passwords that have opened the file. */
export interface OpenedFacts extends CertificateFacts, Pick<CertificateFile, 'password' | 'keyPassword'> {}

/** What is wrong, with a sentence that names the field. */
export interface CertificateFailure {
  readonly field: KeystoreField;
  readonly message: string;
}

export type CertificateReading =
  { readonly facts: CertificateFacts } | { readonly failure: CertificateFailure };

export type OpenedReading = { readonly facts: OpenedFacts } | { readonly failure: CertificateFailure };

/** Opens files of one platform. It may take any time and memory: it runs in a separate process. */
export type CertificateReader = (certificate: CertificateFile) => CertificateReading;

/** What a provisioning profile says. */
export interface ProfileFacts {
  /** As the file has it: it names the installed file. */
  readonly uuid: string;
  readonly name: string;
  readonly type: ProfileType;
  readonly teamId: string;
  /** Without the prefix of the team, with `*` for any rest. */
  readonly bundleId: string;
  /** `null`: it names none, because it is for all. */
  readonly deviceCount: number | null;
  readonly expiresAt: Date;
  /** Of the certificates that it allows, each once, as `sha256Fingerprint` of a certificate. */
  readonly certificateFingerprints: readonly string[];
}

export type ProfileReading = { readonly facts: ProfileFacts } | { readonly failure: CertificateFailure };

/** What a device answers to a profile that asks for its UDID. */
export interface DeviceAttributes {
  readonly udid: string;
  readonly challenge: string;
}

export type DeviceAttributesReading =
  { readonly facts: DeviceAttributes } | { readonly failure: CertificateFailure };

/** What the process that reads files gets. */
export type ReaderRequest =
  | { readonly kind: 'certificate'; readonly certificate: CertificateFile }
  | { readonly kind: 'profile'; readonly file: Buffer }
  | { readonly kind: 'device-attributes'; readonly file: Buffer };
