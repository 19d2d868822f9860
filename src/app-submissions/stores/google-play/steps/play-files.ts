import type { Submission } from '../../../submissions/submission.entity.js';
import { refused } from './play-refusals.js';

/** @throws StoreRefusal */
export function playArtifactType({ artifactType }: Submission): 'aab' | 'apk' {
  if (artifactType !== 'ipa') return artifactType;
  throw refused('artifact_wrong_type', 'Google Play takes no ipa files. Submit a build for Android.');
}
