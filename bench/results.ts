import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';

/** What a line of a table says, by the titles of its columns. */
export type Row = Readonly<Record<string, string | number>>;

/** Tables of a benchmark, printed as they come and kept in `bench/results/<name>.json`. */
export class Results {
  private readonly tables: Record<string, Row[]> = {};
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  add(title: string, rows: readonly Row[]): void {
    console.log(`\n${styleText('bold', title)}`);
    console.table(rows);
    this.tables[title] = [...rows];
  }

  async write(): Promise<void> {
    const folder = join(import.meta.dirname, 'results');
    const file = join(folder, `${this.name}.json`);
    const machine = {
      cpu: cpus()[0]?.model.trim(),
      cores: cpus().length,
      node: process.version,
      at: new Date().toISOString(),
    };
    await mkdir(folder, { recursive: true });
    await writeFile(file, `${JSON.stringify({ machine, ...this.tables }, null, 2)}\n`);
    console.log(`Written to ${file}`);
  }
}
