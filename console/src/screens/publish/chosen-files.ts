import { count, size } from '../../parts/format';

/** A file of a folder to publish. */
export interface ChosenFile {
  /** Inside the folder, with slashes. */
  readonly path: string;
  readonly file: File;
}

/** What a person has dropped or picked. */
export type Choice =
  | {
      readonly kind: 'folder';
      readonly name: string;
      readonly files: readonly ChosenFile[];
      readonly left: readonly string[];
    }
  | { readonly kind: 'zip'; readonly name: string; readonly file: File };

/** Most files of a release that the console zips. */
export const MAX_FILES = 20_000;
/** Most bytes of a zip: the limit of the server. */
export const MAX_BYTES = 1024 ** 3;

/** Folders that belong to no release. */
const NEVER = /(^|\/)(\.git|node_modules|__MACOSX)(\/|$)|(^|\/)(\.DS_Store|Thumbs\.db)$/;

/** What was dropped: one folder, or one zip. @throws Error for anything else, with a sentence for the person */
export async function droppedChoice(items: DataTransferItemList): Promise<Choice> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) throw new Error('Drop one folder or one zip.');
  if (entry.isFile) return zipChoice(await fileOf(entry as FileSystemFileEntry, ''));
  const files: ChosenFile[] = [];
  await walk(entry as FileSystemDirectoryEntry, '', files);
  return folderChoice(entry.name, files);
}

/** What was picked with the dialog of the browser: the files of a folder. */
export function pickedChoice(list: FileList): Choice {
  const files = [...list].map((file) => ({
    path: file.webkitRelativePath.split('/').slice(1).join('/'),
    file,
  }));
  return folderChoice(list[0]?.webkitRelativePath.split('/')[0] ?? 'folder', files);
}

/** @throws Error when it is no zip */
export function zipChoice(file: File): Choice {
  if (!/\.zip$/i.test(file.name))
    throw new Error(`${file.name} is no zip. Drop the folder with index.html, or a zip of it.`);
  return { kind: 'zip', name: file.name, file };
}

function folderChoice(name: string, all: readonly ChosenFile[]): Choice {
  const files = all.filter(({ path }) => !NEVER.test(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  const left = [
    ...new Set(all.filter(({ path }) => NEVER.test(path)).map(({ path }) => path.split('/')[0] ?? path)),
  ];
  if (files.length > MAX_FILES)
    throw new Error(`${name} has more than ${count(MAX_FILES)} files, the most that a release may have.`);
  if (files.length === 0) throw new Error(`${name} has no files.`);
  return { kind: 'folder', name, files, left };
}

async function walk(folder: FileSystemDirectoryEntry, prefix: string, files: ChosenFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // A browser gives a hundred at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    ).catch(unreadable(folder.fullPath));
    if (entries.length === 0 || files.length > MAX_FILES) return;
    const isLeftOut = (entry: FileSystemEntry): boolean => NEVER.test(prefix + entry.name);
    const own = entries.filter((entry) => entry.isFile || isLeftOut(entry));
    files.push(
      ...(await Promise.all(
        own.map(async (entry) => ({
          path: prefix + entry.name,
          // Repositories have thousands of files that are left out.
          file: isLeftOut(entry)
            ? new File([], entry.name)
            : await fileOf(entry as FileSystemFileEntry, prefix),
        })),
      )),
    );
    for (const entry of entries) {
      if (entry.isDirectory && !isLeftOut(entry))
        await walk(entry as FileSystemDirectoryEntry, `${prefix}${entry.name}/`, files);
    }
  }
}

function fileOf(entry: FileSystemFileEntry, prefix: string): Promise<File> {
  return new Promise<File>((resolve, reject) => entry.file(resolve, reject)).catch(
    unreadable(prefix + entry.name),
  );
}

/** A link to nowhere, or a file that the person may not read. */
const unreadable = (path: string) => (): never => {
  throw new Error(`${path} cannot be read. Remove it, or make it readable, and choose the folder again.`);
};

/** What to know before a folder is published. */
export interface Finding {
  /** `stop`: devices could not run it; `ask`: the person decides; `say`: nothing to decide. */
  readonly kind: 'stop' | 'ask' | 'say';
  readonly title: string;
  readonly text: string;
  /** Files that can be left out. */
  readonly paths: readonly string[];
}

export function findingsOf({ files, left }: Extract<Choice, { kind: 'folder' }>): Finding[] {
  const findings: Finding[] = [];
  const found = (test: (path: string) => boolean): ChosenFile[] => files.filter(({ path }) => test(path));
  const bytes = (of: readonly ChosenFile[]): number => of.reduce((sum, { file }) => sum + file.size, 0);
  if (found((path) => path === 'index.html').length === 0) {
    const nested = found((path) => path.endsWith('/index.html'))[0];
    findings.push({
      kind: 'stop',
      title: 'There is no index.html at the top.',
      text:
        nested === undefined
          ? 'Devices start a release with it. Drop the folder that your web build writes.'
          : `Drop the folder ${nested.path.replace(/\/index\.html$/, '')} instead.`,
      paths: [],
    });
  }
  const secrets = found((path) => /(^|\/)\.env[^/]*$/.test(path));
  if (secrets.length > 0) {
    findings.push({
      kind: 'ask',
      title: `${secrets[0]!.path} would be public.`,
      text: 'Every device can read it. It often holds passwords.',
      paths: secrets.map(({ path }) => path),
    });
  }
  const maps = found((path) => path.endsWith('.map'));
  if (maps.length > 0) {
    findings.push({
      kind: 'ask',
      title:
        maps.length === 1 ? 'A source map would be public.' : `${maps.length} source maps would be public.`,
      text: `Devices download ${maps.length === 1 ? 'it' : 'them'}, too: ${size(bytes(maps))} before compression.`,
      paths: maps.map(({ path }) => path),
    });
  }
  if (left.length > 0) {
    findings.push({
      kind: 'say',
      title: `Left out: ${left.join(', ')}.`,
      text: 'They belong to no release.',
      paths: [],
    });
  }
  if (bytes(files) > MAX_BYTES) {
    findings.push({
      kind: 'stop',
      title: 'The folder is larger than 1 GB.',
      text: 'A release has at most 1 GB.',
      paths: [],
    });
  }
  return findings;
}
