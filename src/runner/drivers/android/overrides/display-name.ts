import { join } from 'node:path';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { type Edit, onlyPlace, readPlaceFile } from '../../../steps/overrides/places.js';
import { attributeOf, tagsOf, type XmlAttribute } from '../../../steps/overrides/xml-tags.js';
import { xmlText } from '../../../steps/overrides/xml-text.js';
import { stringPlaces } from './string-resources.js';

const LABEL = 'android:label';
const WHAT = 'the name of the app';
const LAUNCHER = /^android\.intent\.category\.(LEANBACK_)?LAUNCHER$/;
const STRING = /^@string\/([\w.]{1,200})$/;

/**
 * What changes the name of the app on devices: the label of the application, and of what its icon starts, which wins. A label
 * is a text in the manifest or names a string.
 *
 * @param moduleDir relative to the working copy
 * @throws StepError when a label has no place, or several, such as one in each language
 */
export async function displayNameEdits(
  files: ProjectFolder,
  moduleDir: string,
  displayName: string,
): Promise<Edit[]> {
  const path = join(moduleDir, 'src/main/AndroidManifest.xml');
  const labels = labelsOf((await readPlaceFile(files, path)) ?? '');
  const text = resourceText(displayName);
  if (labels.length === 0) onlyPlace([], WHAT, `${path} has no ${LABEL}`);
  const edits: Edit[] = [];
  const strings = new Set<string>();
  for (const { value, start, end } of labels) {
    const [, name] = STRING.exec(value) ?? [];
    if (name === undefined) edits.push({ path, start, end, text });
    else strings.add(name);
  }
  for (const name of strings) {
    const places = await stringPlaces(files, moduleDir, name);
    const none = `${join(moduleDir, 'src')} has no string "${name}", which ${path} names`;
    edits.push({ ...onlyPlace(places, WHAT, none), text });
  }
  return edits;
}

/** The labels of the application and of the activities that its icons start. */
function labelsOf(manifest: string): XmlAttribute[] {
  const found: XmlAttribute[] = [];
  let activity: XmlAttribute | undefined;
  for (const tag of tagsOf(manifest)) {
    const label = attributeOf(tag, LABEL);
    if (tag.name === 'application' && tag.kind === 'open' && label !== undefined) found.push(label);
    if (tag.name === 'activity' || tag.name === 'activity-alias') {
      activity = tag.kind === 'open' ? label : undefined;
    }
    const isLauncher =
      tag.name === 'category' && LAUNCHER.test(attributeOf(tag, 'android:name')?.value ?? '');
    if (isLauncher && activity !== undefined) {
      found.push(activity);
      activity = undefined;
    }
  }
  return found;
}

/**
 * A text as a string resource of Android, where a backslash, quotes, and "@" or "?" at the beginning mean something, and spaces
 * are joined.
 */
export function resourceText(text: string): string {
  const escaped = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\"']/g, '\\$&')
    .replace(/^[@?]/, '\\$&');
  return xmlText(escaped);
}
