import { StepError } from '../../../steps/build-run.js';
import { onlyPlace } from '../../../steps/overrides/places.js';
import { xmlText } from '../../../steps/overrides/xml-text.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { type PlistContent, type PlistEntry, plistContent } from './plist-entries.js';

const MAX_BYTES = 1024 * 1024;

/** A property list of a project, such as Info.plist. Only the values that are set change. Nothing is written before `save`. */
export class PlistFile {
  private content: PlistContent;

  private constructor(
    /** Relative to the working copy. */
    readonly path: string,
    private readonly original: string,
    private text: string,
  ) {
    this.content = plistContent(text);
  }

  /**
   * @param named what names the file, such as `INFOPLIST_FILE of the target "App"`
   * @throws StepError when it is no property list that can be changed
   */
  static async open(files: ProjectFolder, path: string, named: string): Promise<PlistFile> {
    const text = await files.read('configuration', path, MAX_BYTES);
    if (text === null) throw new StepError('configuration', `There is no ${path}, which ${named} names.`);
    const file = new PlistFile(path, text, text);
    if (file.content.root !== null && !text.includes('\u{FFFD}')) return file;
    throw new StepError(
      'configuration',
      text.startsWith('bplist')
        ? `${path} is a binary property list: run "plutil -convert xml1" on it, and commit it.`
        : `${path} is not a property list in XML and UTF-8.`,
    );
  }

  get isChanged(): boolean {
    return this.text !== this.original;
  }

  /** @returns `null`: there is no such text */
  find(...path: readonly string[]): string | null {
    return this.entries(path)[0]?.content.trim() ?? null;
  }

  /**
   * Sets a text, which is added if the dictionary has none.
   *
   * @param what such as `the build number`
   * @throws StepError when the file has it twice
   */
  set(path: readonly string[], value: string, what: string): void {
    const places = this.entries(path).map((entry) => ({ ...entry, path: this.path }));
    const element = `<string>${xmlText(value)}</string>`;
    if (places.length === 0) this.add(path.at(-1) ?? '', element);
    else {
      const { start, end } = onlyPlace(places, what, '');
      this.replace(start, end, element);
    }
  }

  async save(files: ProjectFolder): Promise<void> {
    if (this.isChanged) await files.write('configuration', this.path, this.text);
  }

  private entries(path: readonly string[]): PlistEntry[] {
    const wanted = JSON.stringify(path);
    return this.content.entries.filter((entry) => JSON.stringify(entry.path) === wanted);
  }

  /** At the end of the dictionary, indented as its first key. */
  private add(key: string, element: string): void {
    const { firstKey, end = 0 } = this.content.root ?? { firstKey: null };
    const lineStart = this.text.lastIndexOf('\n', end - 1) + 1;
    const at = this.text.slice(lineStart, end).trim() === '' ? lineStart : end;
    const before = this.text.slice(0, firstKey ?? 0);
    const indent = firstKey === null ? '\t' : (/[ \t]*$/.exec(before.slice(-100))?.[0] ?? '');
    const newline = this.text.includes('\r\n') ? '\r\n' : '\n';
    const lines = [`<key>${xmlText(key)}</key>`, element].map((line) => `${indent}${line}${newline}`);
    this.replace(at, at, lines.join(''));
  }

  private replace(start: number, end: number, text: string): void {
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
    this.content = plistContent(this.text);
  }
}
