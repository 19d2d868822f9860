import type { GooglePlay } from '../stores/google-play/google-play.js';

/**
 * Ends the stand-in for Google Play like a program that crashes. What it has stored stays; tokens and addresses of uploads
 * do not.
 *
 * @returns lets it come back on the same port
 */
export async function crash(play: GooglePlay): Promise<() => Promise<void>> {
  await play.pause();
  play.accounts.expireTokens();
  await play.uploads.clear();
  return () => play.resume();
}
