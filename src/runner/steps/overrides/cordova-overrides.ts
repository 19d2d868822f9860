import { join } from 'node:path';
import type { ProjectFolder } from '../project/project-folder.js';
import type { Overrides } from './override-values.js';
import { type Edit, onlyPlace, readPlaceFile } from './places.js';
import { attributeOf, tagsOf, type XmlTag } from './xml-tags.js';
import { xmlText } from './xml-text.js';

const FILE = 'config.xml';
/** Attributes of config.xml for one platform; the package name is in the first one that is there. */
const ATTRIBUTES = {
  android: { packageName: ['android-packageName', 'id'], buildNumber: ['android-versionCode'] },
  ios: { packageName: ['ios-CFBundleIdentifier', 'id'], buildNumber: ['ios-CFBundleVersion'] },
} as const;

/** A platform that Cordova makes a native project for. */
export type CordovaPlatform = keyof typeof ATTRIBUTES;

/**
 * What changes in config.xml, from which Cordova makes the native project.
 *
 * @param baseDir relative to the working copy
 * @throws StepError when a value has no place, or several
 */
export async function cordovaEdits(
  files: ProjectFolder,
  baseDir: string,
  platform: CordovaPlatform,
  { displayName, packageName, versionName, buildNumber }: Overrides,
): Promise<Edit[]> {
  const attributes = ATTRIBUTES[platform];
  const path = join(baseDir, FILE);
  const xml = (await readPlaceFile(files, path)) ?? '';
  const tags = [...tagsOf(xml)];
  const widgets = tags.filter(({ name, kind }) => name === 'widget' && kind === 'open');
  const widget = onlyPlace(
    widgets.map((tag) => ({ ...tag, path })),
    'the app',
    `${path} has no widget`,
  );
  const set = (names: readonly string[], value: string): Edit => {
    const attribute = names.map((name) => attributeOf(widget, name)).find((found) => found !== undefined);
    const text = xmlText(value);
    if (attribute !== undefined) return { path, start: attribute.start, end: attribute.end, text };
    const at = widget.start + '<widget'.length;
    return { path, start: at, end: at, text: ` ${names.at(-1)}="${text}"` };
  };
  return [
    ...(packageName === null ? [] : [set(attributes.packageName, packageName)]),
    ...(versionName === null ? [] : [set(['version'], versionName)]),
    ...(buildNumber === null ? [] : [set(attributes.buildNumber, String(buildNumber))]),
    ...(displayName === null ? [] : nameEdits(path, tags, displayName)),
  ];
}

/** The element `name` of the widget itself, and its attribute `short`, which wins. */
function nameEdits(path: string, tags: readonly XmlTag[], displayName: string): Edit[] {
  let depth = 0;
  const found: { open: XmlTag; path: string; start: number; end: number }[] = [];
  let open: XmlTag | null = null;
  for (const tag of tags) {
    if (tag.kind === 'close') {
      depth--;
      if (open !== null && tag.name === 'name') found.push({ open, path, start: open.end, end: tag.start });
      open = null;
      continue;
    }
    open = tag.name === 'name' && depth === 1 && tag.kind === 'open' ? tag : null;
    if (tag.kind === 'open') depth++;
  }
  const place = onlyPlace(found, 'the name of the app', `${path} has no name`);
  const short = attributeOf(place.open, 'short');
  const text = xmlText(displayName.replaceAll(/\s+/g, ' ').trim());
  return [
    { path, start: place.start, end: place.end, text },
    ...(short === undefined ? [] : [{ path, start: short.start, end: short.end, text }]),
  ];
}
