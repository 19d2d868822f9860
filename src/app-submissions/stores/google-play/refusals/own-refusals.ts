import type { StoreRefusal } from '../../refusals/refusal.js';
import { refused } from '../../refusals/refused.js';

export function destinationChanged(what: string): StoreRefusal {
  return refused(
    'destination_changed',
    `The ${what} of the destination was changed or removed while the submission ran. Submit again.`,
  );
}

export function keyIsGone(): StoreRefusal {
  return refused(
    'store_key_gone',
    'The destination has no usable key of a service account any more. Upload one, set it at the destination and submit again.',
    { retry: 'after-action' },
  );
}

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
