/** A version or build number as Apple compares it: without leading zeros, and without zeros at the end. 01.2.0 is 1.2. */
export function normalizedVersion(text: string): string {
  const parts = text.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length > 1 && parts.at(-1) === '0') parts.pop();
  return parts.join('.');
}
