import type { Entry } from 'yauzl';
import type { WorkBudget } from '../work-budget.js';

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

/** Bytes of an entry of the directory without its name, its extra field and its comment (APPNOTE, 4.3.12). */
const DIRECTORY_ENTRY_BYTES = 46;
/** What a byte of the others costs: an extra field of four bytes becomes an object. */
const EXTRA_WORK = 4;
const NOTHING = Buffer.alloc(0);

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

/**
 * Counts what reading an entry of the directory costs, and drops its extra fields and its comment, which take up to 128 KiB:
 * entries are kept by the thousands.
 *
 * @throws TooMuchWorkError
 */
export function keepOnlyName(entry: Entry, work: WorkBudget): void {
  const { fileNameLength, extraFieldLength, fileCommentLength } = entry;
  work.spend(DIRECTORY_ENTRY_BYTES + EXTRA_WORK * (fileNameLength + extraFieldLength + fileCommentLength));
  // It is a part of the same buffer as the others.
  const name = Buffer.from(entry.fileNameRaw);
  Object.assign(entry, {
    fileName: name,
    fileNameRaw: name,
    extraFields: [],
    extraFieldRaw: NOTHING,
    fileComment: NOTHING,
    fileCommentRaw: NOTHING,
    comment: NOTHING,
  });
}
