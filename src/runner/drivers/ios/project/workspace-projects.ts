import { dirname, join } from 'node:path';
import { attributeOf, tagsOf } from '../../../steps/overrides/xml-tags.js';
import { textOfXml } from '../../../steps/overrides/xml-text.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';

const MAX_BYTES = 1024 * 1024;
const MAX_PROJECTS = 1000;

/**
 * The projects that a workspace names, but not that of CocoaPods.
 *
 * @param path of the workspace, relative to the working copy
 * @returns paths relative to the working copy
 */
export async function projectsIn(files: ProjectFolder, path: string): Promise<string[]> {
  const file = join(path, 'contents.xcworkspacedata');
  const xml = (await files.read('configuration', file, MAX_BYTES)) ?? '';
  const groups: string[] = [];
  const found = new Set<string>();
  for (const tag of tagsOf(xml)) {
    if (tag.name === 'Group' && tag.kind === 'close') groups.pop();
    if (tag.kind === 'close' || (tag.name !== 'Group' && tag.name !== 'FileRef')) continue;
    const location = textOfXml(attributeOf(tag, 'location')?.value ?? '');
    const target = locate(location, dirname(path), groups.at(-1) ?? dirname(path));
    if (tag.name === 'Group' && tag.kind === 'open') groups.push(target ?? dirname(path));
    const isProject = target?.endsWith('.xcodeproj') === true && !target.endsWith('/Pods.xcodeproj');
    if (tag.name === 'FileRef' && isProject && found.size < MAX_PROJECTS) found.add(target);
  }
  return [...found];
}

/** @returns `null`: it is elsewhere on the machine of its author */
function locate(location: string, workspace: string, group: string): string | null {
  const separator = location.indexOf(':');
  const [scheme, path] = [location.slice(0, separator), location.slice(separator + 1)];
  if (scheme === 'container') return join(workspace, path);
  return scheme === 'group' ? join(group, path) : null;
}
