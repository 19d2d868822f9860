import { ApiProperty } from '@nestjs/swagger';
import { type ProfileType, profileTypes } from '../../common/provisioning-profiles.js';
import { type ApplePlatform, applePlatforms } from '../../common/apple-platforms.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type ArtifactDetails,
  type FormFactor,
  formFactors,
  type SignerScheme,
  signerSchemes,
  type StoredSigner,
} from './artifact-details.entity.js';

/** Who signed an artifact, as its file says. The signature is not verified. */
@ApiExample({ scheme: 'v2', subject: 'CN=Example', expiresAt: '2051-03-14T09:26:53.000Z' })
export class ArtifactSignerDto {
  /**
   * Where the certificate was found: `v1` in `META-INF`, `v2` and `v3` in the signing block of an apk, `profile` in the
   * provisioning profile of an ipa.
   */
  @ApiProperty({ enum: signerSchemes, enumName: 'SignerScheme' })
  scheme!: SignerScheme;

  /** Subject of the certificate. */
  subject!: string | null;

  /** The SHA-256 fingerprint of the certificate, as Google Play and `keytool` show it. */
  sha256!: string | null;

  /** When the provisioning profile expires, else the certificate. */
  @ApiTime()
  expiresAt!: string | null;

  /** Apple's id of the team. */
  teamId!: string | null;

  /** What the provisioning profile is for. */
  @ApiProperty({ type: String, enum: [...profileTypes, null], nullable: true })
  profileType!: ProfileType | null;

  /** Bundle id that the provisioning profile is for, with `*` for any rest. */
  profileBundleId!: string | null;

  /** Number of devices that the provisioning profile lists; `null`: it lists none, or the file was read by an older version. */
  @ApiProperty({ type: 'integer', nullable: true })
  deviceCount!: number | null;
}

/** What the file of an artifact says about the app. `null` for artifacts that are no apk, aab, ipa or app. */
@ApiExample({})
export class ArtifactDetailsDto {
  /** Kind of device that the app is for; `null`: phones and tablets. */
  @ApiProperty({ type: String, enum: [...formFactors, null], nullable: true })
  formFactor!: FormFactor | null;

  /** Application id or bundle id. */
  packageName!: string | null;

  /** Version that people see. */
  versionName!: string | null;

  /** Android: `versionCode`. iOS: `CFBundleVersion`. */
  versionCode!: string | null;

  /** Android: lowest API level that the app runs on. */
  @ApiProperty({ type: 'integer', nullable: true })
  minSdkVersion!: number | null;

  /** Android: API level that the app was made for. */
  @ApiProperty({ type: 'integer', nullable: true })
  targetSdkVersion!: number | null;

  /** iOS: lowest version that the app runs on. */
  minOsVersion!: string | null;

  /** iOS: what the app runs on; `null`: something else. */
  @ApiProperty({ type: String, enum: [...applePlatforms, null], nullable: true })
  applePlatform!: ApplePlatform | null;

  /**
   * iOS: whether the app uses encryption that is not exempt from export rules, as `ITSAppUsesNonExemptEncryption` says;
   * `null`: it does not say.
   */
  usesNonExemptEncryption!: boolean | null;

  /** Name of the app on devices. */
  label!: string | null;

  /** Whether a debugger can be attached. */
  debuggable!: boolean | null;

  /** Who signed the file; `null`: unsigned. */
  @ApiProperty({ type: ArtifactSignerDto, nullable: true })
  signer!: ArtifactSignerDto | null;

  /** Path of the icon on this server, for callers with `builds:read`; `null`: the file has none that can be shown. */
  iconUrl!: string | null;
}

/** The fields of a response about what was read. @param iconUrl of the icon, if there is one */
export function toArtifactDetailsDto(details: ArtifactDetails | null, iconUrl: string): ArtifactDetailsDto {
  return {
    formFactor: details?.formFactor ?? null,
    packageName: details?.packageName ?? null,
    versionName: details?.versionName ?? null,
    versionCode: details?.versionCode ?? null,
    minSdkVersion: details?.minSdkVersion ?? null,
    targetSdkVersion: details?.targetSdkVersion ?? null,
    minOsVersion: details?.minOsVersion ?? null,
    applePlatform: details?.applePlatform ?? null,
    usesNonExemptEncryption: details?.usesNonExemptEncryption ?? null,
    label: details?.label ?? null,
    debuggable: details?.debuggable ?? null,
    signer: details?.signer ? toArtifactSignerDto(details.signer) : null,
    iconUrl: (details?.iconBlobId ?? null) === null ? null : iconUrl,
  };
}

function toArtifactSignerDto(signer: StoredSigner): ArtifactSignerDto {
  const {
    scheme,
    subject,
    sha256,
    expiresAt,
    teamId,
    profileType,
    profileBundleId = null,
    deviceCount = null,
  } = signer;
  return { scheme, subject, sha256, expiresAt, teamId, profileType, profileBundleId, deviceCount };
}
