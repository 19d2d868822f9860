import type { StoreRefusal } from '../../refusals/refusal.js';
import { refused } from '../../refusals/refused.js';

export function otherFile(versionCode: string): StoreRefusal {
  return refused(
    'version_code_used',
    `Google Play has another file with the version code ${versionCode}. Raise versionCode, build again and submit that build; a retry does not help.`,
  );
}

export function trackMissing(track: string, known: readonly string[]): StoreRefusal {
  const names = known.slice(0, 8).join(', ');
  return refused(
    'track_not_found',
    `The app has no track "${track.slice(0, 60)}" in Google Play. It has ${names === '' ? 'none' : names.slice(0, 100)}. Correct googlePlayTrack of the destination, or create the track in the Play Console; then submit again.`,
    { retry: 'after-action' },
  );
}
