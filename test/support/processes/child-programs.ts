import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../eventually.js';
import { temporaryFolder } from './temporary-folders.js';

/** Programs that take the place of those that read files, by what they do with the first message. */
export async function testPrograms(): Promise<Readonly<Record<'busy' | 'hungry' | 'stopped', URL>>> {
  const folder = await temporaryFolder();
  const program = async (name: string, work: string): Promise<URL> => {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, `process.once('message', () => { ${work} });`);
    return pathToFileURL(file);
  };
  return {
    busy: await program('busy', 'for (;;);'),
    hungry: await program('hungry', 'const all = []; for (;;) all.push(new Array(1e6).fill({}));'),
    // As on a machine that gives it no processor.
    stopped: await program('stopped', "process.kill(process.pid, 'SIGSTOP');"),
  };
}

/** Stops a child of this process with SIGSTOP, as soon as there is one that runs this program. @returns its id */
export function stopChild(program: string): Promise<number> {
  return eventually(async () => {
    const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
    for (const pid of children.trim().split(' ').filter(Boolean).map(Number)) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (!command.includes(program)) continue;
      process.kill(pid, 'SIGSTOP');
      return pid;
    }
    throw new Error(`No child runs ${program}.`);
  });
}
