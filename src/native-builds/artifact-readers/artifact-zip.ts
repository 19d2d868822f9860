import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { findContentProblem } from '../../common/archives/entry-problems.js';
import { readZipName } from '../../common/archives/zip-name.js';
import { TooMuchWorkError, WorkBudget } from '../../common/work-budget.js';
import { type OpenRange, RangeReader } from '../../storage/zips/range-reader.js';
import { ArtifactProblem } from './artifact-problem.js';
import { notAZip } from './describe-file.js';

/** Most entries of an artifact, folders included. */
const MAX_ENTRIES = 100_000;
/** What reading a file may cost: see `WorkBudget`. The largest apps take a fifth, most of it for their resources. */
export const MAX_WORK = 256 * 1024 * 1024;
const STORED = 0;
/** Bytes of an entry of the list without its name, its extra field and its comment (APPNOTE, 4.3.12). */
const DIRECTORY_ENTRY_BYTES = 46;
/** How much of a file that is no zip is looked at. */
const BEGINNING_BYTES = 512;

/** What is kept of an entry: a hundred thousand of them must fit into memory. */
type ZipEntry = Pick<
  Entry,
  | 'compressedSize'
  | 'compressionMethod'
  | 'crc32'
  | 'generalPurposeBitFlag'
  | 'relativeOffsetOfLocalHeader'
  | 'uncompressedSize'
>;

/** A zip of which single entries are read, whatever else is in it. */
export class ArtifactZip {
  private readonly entries = new Map<string, ZipEntry>();

  private constructor(
    private readonly zip: ZipFile,
    private readonly openRange: OpenRange,
    /** Where the list of entries begins; the signing block of an apk ends there. */
    readonly directoryOffset: number,
    /** For everything that is read of it. */
    readonly work: WorkBudget,
  ) {}

  /**
   * Reads the list of entries.
   *
   * @throws ArtifactProblem when there is none, it is too long, or has a path twice
   * @throws TooMuchWorkError
   */
  static async open(
    openRange: OpenRange,
    sizeInBytes: number,
    work: WorkBudget = new WorkBudget(MAX_WORK),
  ): Promise<ArtifactZip> {
    let zip: ArtifactZip;
    try {
      const file = await fromRandomAccessReaderPromise(new RangeReader(openRange, sizeInBytes), sizeInBytes, {
        autoClose: false,
        decodeStrings: false,
      });
      // Before an entry is read, it is where the first one begins.
      zip = new ArtifactZip(file, openRange, Number(file.readEntryCursor), work);
    } catch {
      const length = Math.min(sizeInBytes, BEGINNING_BYTES);
      throw notAZip(length === 0 ? Buffer.alloc(0) : await buffer(await openRange({ start: 0, length })));
    }
    await zip.list();
    return zip;
  }

  private async list(): Promise<void> {
    const { entryCount } = this.zip;
    if (entryCount > MAX_ENTRIES) {
      throw new ArtifactProblem(`it has ${entryCount} entries, and at most ${MAX_ENTRIES} are allowed`);
    }
    try {
      for await (const entry of this.zip.eachEntry()) {
        this.work.spend(DIRECTORY_ENTRY_BYTES + entry.fileNameLength + entry.extraFieldLength);
        const { path } = readZipName(entry);
        // Which one counts would differ from program to program.
        if (this.entries.has(path)) throw new ArtifactProblem(`it has ${shown(path)} twice`);
        const { compressedSize, compressionMethod, generalPurposeBitFlag, uncompressedSize } = entry;
        const { relativeOffsetOfLocalHeader } = entry;
        this.entries.set(path, {
          compressedSize,
          compressionMethod,
          crc32: entry.crc32,
          generalPurposeBitFlag,
          relativeOffsetOfLocalHeader,
          uncompressedSize,
        });
      }
    } catch (error) {
      if (error instanceof ArtifactProblem || error instanceof TooMuchWorkError) throw error;
      throw new ArtifactProblem('its list of entries is damaged');
    }
  }

  paths(): string[] {
    return [...this.entries.keys()];
  }

  /** Entries that cannot be read, in a sentence without a full stop; `null`: there are none. */
  remark(): string | null {
    const [first, ...others] = [...this.entries].filter(([, entry]) => findContentProblem(entry) !== null);
    if (first === undefined) return null;
    const [path, entry] = first;
    const more = others.length === 0 ? '' : ` (${others.length} more entries cannot be read either)`;
    return `${shown(path)} ${findContentProblem(entry)}${more}`;
  }

  has(path: string): boolean {
    return this.entries.has(path);
  }

  /**
   * The content of an entry.
   *
   * @param maxBytes of the content
   * @throws ArtifactProblem when there is none, it is too large, or not what the list says
   * @throws TooMuchWorkError
   */
  async read(path: string, maxBytes: number): Promise<Buffer> {
    const entry = this.entries.get(path);
    if (entry === undefined) throw new ArtifactProblem(`it has no ${shown(path)}`);
    const problem = problemOf(entry, maxBytes);
    if (problem !== null) throw new ArtifactProblem(`${shown(path)} ${problem}`);
    // Entries may lie in the same place of the file.
    this.work.spend(entry.compressedSize + entry.uncompressedSize);
    const content = await this.inflate(entry).catch(() => null);
    if (content === null) throw new ArtifactProblem(`${shown(path)} is damaged`);
    return content;
  }

  /** Bytes of the file itself. */
  async bytes(start: number, length: number): Promise<Buffer> {
    return buffer(await this.openRange({ start, length }));
  }

  /** @throws Error when it is not what the list says */
  private async inflate(entry: ZipEntry): Promise<Buffer> {
    const { compressedSize: length, uncompressedSize, compressionMethod } = entry;
    const content = Buffer.alloc(uncompressedSize);
    let at = 0;
    const collect = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of chunks) {
        if (at + chunk.length > uncompressedSize) throw new RangeError('It is longer than the list says.');
        at += chunk.copy(content, at);
      }
    };
    if (length > 0) {
      const { fileDataStart: start } = await this.zip.readLocalFileHeaderPromise(entry as Entry, {
        minimal: true,
      });
      const source = await this.openRange({ start, length });
      if (compressionMethod === STORED) await pipeline(source, collect);
      else await pipeline(source, createInflateRaw(), collect);
    }
    if (at !== uncompressedSize || crc32(content) !== entry.crc32)
      throw new RangeError('It is another content.');
    return content;
  }
}

function problemOf(entry: ZipEntry, maxBytes: number): string | null {
  const unreadable = findContentProblem(entry);
  if (unreadable !== null) return unreadable;
  const { compressedSize, uncompressedSize } = entry;
  // What is packed can be a little larger than what it holds.
  if (uncompressedSize > maxBytes || compressedSize > 2 * maxBytes) return `is larger than ${maxBytes} bytes`;
  return null;
}

/** A path for a message: without anything that could be read as a part of the sentence. */
export function shown(path: string): string {
  return path.length <= 200 && /^[\w./\\+-]+$/.test(path) ? path : 'an entry';
}
