import type { Entry } from 'yauzl';

/** Systems whose upper 16 attribute bits are a Unix mode: Unix and OS X. */
const UNIX_HOSTS = [3, 19];
const MODE_TYPE = 0o170000;
const PERMISSIONS = 0o777;
const KINDS: Readonly<Record<number, ArchiveEntryKind>> = {
  0: 'file',
  0o100000: 'file',
  0o040000: 'folder',
  0o120000: 'link',
};

export type ArchiveEntryKind = 'file' | 'folder' | 'link' | 'special';

/** An entry of a zip with its path. */
export interface ArchiveEntry {
  readonly path: string;
  readonly entry: Entry;
}

/** What an entry is unpacked to. `special`: devices and other things that no project has. */
export function kindOf(entry: Entry): ArchiveEntryKind {
  return KINDS[unixModeOf(entry) & MODE_TYPE] ?? 'special';
}

export function isLink(entry: Entry): boolean {
  return kindOf(entry) === 'link';
}

/** The permissions of an entry, without setuid and the like; 0: the zip has none. */
export function permissionsOf(entry: Entry): number {
  return unixModeOf(entry) & PERMISSIONS;
}

/** 0 for a zip of another system, and where no mode is given. */
function unixModeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  return UNIX_HOSTS.includes(versionMadeBy >>> 8) ? externalFileAttributes >>> 16 : 0;
}
