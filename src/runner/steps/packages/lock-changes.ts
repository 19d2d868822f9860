import { isObject } from '../project/project-folder.js';

/** Most packages that one line of the log names. */
const MAX_SHOWN = 10;

/**
 * What an installation of npm has changed in its lock file: `npm install` corrects one that does not fit package.json.
 *
 * @param before the text of the lock file
 * @returns such as `nanoid 3.3.1 → 3.3.20`; `null`: it names the same versions
 */
export function describeLockChanges(before: string, after: string): string | null {
  if (before === after) return null;
  const old = versionsIn(before);
  const now = versionsIn(after);
  if (old === null || now === null) return null;
  const changes: string[] = [];
  for (const [path, version] of now) {
    const was = old.get(path);
    if (was !== version) changes.push(`${nameOf(path)} ${was ?? '(new)'} → ${version}`);
  }
  for (const [path, version] of old) if (!now.has(path)) changes.push(`${nameOf(path)} ${version} → none`);
  const unique = [...new Set(changes)];
  if (unique.length === 0) return null;
  const more = unique.length > MAX_SHOWN ? ` and ${unique.length - MAX_SHOWN} more` : '';
  return `${unique.slice(0, MAX_SHOWN).join(', ')}${more}`;
}

/** The versions by path in `node_modules`. @returns `null`: it is no lock file */
function versionsIn(text: string): ReadonlyMap<string, string> | null {
  const lock = parse(text);
  if (!isObject(lock)) return null;
  const versions = new Map<string, string>();
  if (isObject(lock['packages'])) {
    for (const [path, entry] of Object.entries(lock['packages'])) {
      // Others are packages of the workspace.
      if (path.includes('node_modules/')) add(versions, path, entry);
    }
  } else addOldFormat(versions, '', lock['dependencies']);
  return versions;
}

/** Up to npm 6, entries are in the entry of the package in whose `node_modules` they are. */
function addOldFormat(versions: Map<string, string>, parent: string, dependencies: unknown): void {
  if (!isObject(dependencies)) return;
  const pending = [{ parent, dependencies }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [name, entry] of Object.entries(next.dependencies)) {
      const path = `${next.parent}node_modules/${name}`;
      add(versions, path, entry);
      const inner = isObject(entry) ? entry['dependencies'] : undefined;
      if (isObject(inner)) pending.push({ parent: `${path}/`, dependencies: inner });
    }
  }
}

function add(versions: Map<string, string>, path: string, entry: unknown): void {
  const version = isObject(entry) ? entry['version'] : undefined;
  if (typeof version === 'string') versions.set(path, version.slice(0, 100));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length).slice(0, 214);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
