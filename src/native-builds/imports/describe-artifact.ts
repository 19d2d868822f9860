import type { ApplePlatform } from '../../common/apple-platforms.js';
import type { ArtifactFacts, ArtifactSigner } from '../artifact-readers/artifact-facts.js';

const PLATFORMS: Readonly<Record<ApplePlatform, string>> = { ios: 'iOS', tvos: 'tvOS', visionos: 'visionOS' };

/** What was read of a file, as lines of the log. */
export function describeArtifact(facts: ArtifactFacts): string[] {
  const { packageName, versionName, versionCode, label, minSdkVersion, targetSdkVersion, minOsVersion } =
    facts;
  const { applePlatform, usesNonExemptEncryption } = facts;
  return [
    `Package: ${packageName}`,
    `Version: ${versionName ?? 'none'} (${versionCode ?? 'none'})`,
    ...(label === null ? [] : [`Name: ${label}`]),
    ...(minSdkVersion === null && targetSdkVersion === null
      ? []
      : [`API level: ${minSdkVersion ?? 'any'} or higher, made for ${targetSdkVersion ?? 'an unknown one'}`]),
    ...(minOsVersion === null ? [] : [`${PLATFORMS[applePlatform ?? 'ios']}: ${minOsVersion} or higher`]),
    ...(usesNonExemptEncryption === null
      ? []
      : [`Encryption that is not exempt from export rules: ${usesNonExemptEncryption ? 'yes' : 'no'}`]),
    `Signer: ${facts.signer === null ? 'none, so devices do not install it' : describeSigner(facts.signer)}`,
  ];
}

function describeSigner({ scheme, subject, sha256, expiresAt, teamId, profileType }: ArtifactSigner): string {
  const parts = [
    subject ?? 'a certificate that cannot be read',
    ...(teamId === null ? [] : [`team ${teamId}`]),
    ...(sha256 === null ? [] : [`SHA-256 ${sha256}`]),
    ...(expiresAt === null ? [] : [`until ${expiresAt.toISOString().slice(0, 10)}`]),
    scheme === 'profile'
      ? `profile${profileType === null ? '' : ` for ${profileType}`}`
      : `signature ${scheme}`,
  ];
  return parts.join(', ');
}
