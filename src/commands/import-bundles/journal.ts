import { appendFile, readFile } from 'node:fs/promises';

/** One bundle that was imported. */
export interface JournalEntry {
  /** See `fingerprint` of the importer. */
  readonly fingerprint: string;
  readonly name: string;
  readonly bundleId: string;
}

/** What earlier runs have imported: a file with one JSON object a line, beside the source. */
export class Journal {
  private constructor(
    private readonly path: string,
    private readonly done: Set<string>,
  ) {}

  static async open(path: string): Promise<Journal> {
    const text = await readFile(path, 'utf8').catch(() => '');
    const entries = text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as JournalEntry];
      } catch {
        // The last line of a run that was killed.
        return [];
      }
    });
    return new Journal(path, new Set(entries.map(({ fingerprint }) => fingerprint)));
  }

  has(fingerprint: string): boolean {
    return this.done.has(fingerprint);
  }

  async add(entry: JournalEntry): Promise<void> {
    await appendFile(this.path, `\n${JSON.stringify(entry)}`);
    this.done.add(entry.fingerprint);
  }
}
