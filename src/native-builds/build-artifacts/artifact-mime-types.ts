import type { ArtifactType } from './build-artifact.entity.js';

/** What downloads of artifacts say about their content. */
export const artifactMimeTypes: Readonly<Record<ArtifactType, string>> = {
  aab: 'application/octet-stream',
  apk: 'application/vnd.android.package-archive',
  app: 'application/zip',
  dsym: 'application/zip',
  ipa: 'application/octet-stream',
  manifest: 'application/json',
  xcarchive: 'application/zip',
  zip: 'application/zip',
};
