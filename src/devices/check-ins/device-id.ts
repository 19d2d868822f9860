/** Longest device id that is accepted, in characters. */
export const MAX_DEVICE_ID_LENGTH = 255;

/** Letters and digits of UUIDs, and the other characters that no path, query, shell or log reads as something else. */
const PLAIN = /^[A-Za-z0-9._:~-]+$/;
const LETTER_OR_DIGIT = /[A-Za-z0-9]/;

/**
 * Whether a device with this id can be recorded. Anyone may choose an id, and clients put ids into paths as they are:
 * with `..`, the request to delete the device would be one to delete its app.
 */
export function isDeviceId(text: string): boolean {
  return text.length <= MAX_DEVICE_ID_LENGTH && PLAIN.test(text) && LETTER_OR_DIGIT.test(text);
}

/**
 * The form in which a device id is shown. Devices were recorded with any id once: of such ids, every character but
 * letters, digits, `_`, `~` and `-` is percent-encoded, so that it can be pasted into the query of an address.
 */
export function shownDeviceId(id: string): string {
  if (isDeviceId(id)) return id;
  return encodeURIComponent(id.toWellFormed()).replace(
    /[.!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
