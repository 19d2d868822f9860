import { TooMuchWorkError } from '../../../common/work-budget.js';
import type { ArtifactIcon } from '../artifact-facts.js';
import type { AppPackage, ResourceValue } from './app-package.js';
import { ATTRIBUTE } from './xml-node.js';

/** Largest icon: 1 MB. */
const MAX_ICON_BYTES = 1_000_000;
/** Files and resources that are looked at: an icon has one for each density. */
const MAX_RESOURCES = 32;
/** For any density: an adaptive icon in XML. */
const ANY_DENSITY = 0xfffe;

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/**
 * The icon of an app: the picture for the highest density, else the foreground of an adaptive icon.
 *
 * @param id of the resource; `null`: there is none
 * @returns `null`: there is none, or it is not a picture that browsers show safely
 */
export async function findIcon(app: AppPackage, id: number | null): Promise<ArtifactIcon | null> {
  const waiting: (string | number)[] = id === null ? [] : [id];
  const seen = new Set<string | number>();
  for (let next = waiting.shift(); next !== undefined && seen.size < MAX_RESOURCES; next = waiting.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (typeof next === 'number') {
      waiting.unshift(...inOrder(app.valuesOf(next)));
      continue;
    }
    const bytes = await app.file(next, MAX_ICON_BYTES);
    if (bytes === null) continue;
    const mimeType = mimeTypeOf(bytes);
    if (mimeType !== null) return { bytes, mimeType };
    const foreground = foregroundOf(app, bytes);
    if (foreground !== null) waiting.push(foreground);
  }
  return null;
}

/** By density, the highest one first; what is drawn for any density comes last. Not more than are looked at. */
function inOrder(values: readonly ResourceValue[]): (string | number)[] {
  const rank = ({ density }: ResourceValue): number => (density >= ANY_DENSITY ? -1 : density);
  const sorted = values.toSorted((a, b) => rank(b) - rank(a)).map(({ value }) => value);
  return [...new Set(sorted)].slice(0, MAX_RESOURCES);
}

/** By its first bytes: names say nothing. */
function mimeTypeOf(bytes: Buffer): ArtifactIcon['mimeType'] | null {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'image/webp' : null;
}

/** The resource in front in an adaptive icon; `null`: it is none. */
function foregroundOf(app: AppPackage, file: Buffer): number | null {
  try {
    const foreground = app.parse(file).children.find(({ name }) => name === 'foreground');
    return foreground?.attributes.get(ATTRIBUTE.drawable)?.reference ?? null;
  } catch (error) {
    if (error instanceof TooMuchWorkError) throw error;
    return null;
  }
}
