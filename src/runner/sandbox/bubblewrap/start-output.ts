import type { Readable } from 'node:stream';

/** Reads the lines of `--json-status-fd` of bubblewrap, and that of the script before it. */
export function readStatus(stream: Readable) {
  let exitCode: number | null = null;
  let rest = '';
  const ready = Promise.withResolvers<true>();
  const init = Promise.withResolvers<number>();
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const values = JSON.parse(line) as Record<string, unknown>;
      if (values['ready'] === true) ready.resolve(true);
      if (typeof values['child-pid'] === 'number') init.resolve(values['child-pid']);
      if (typeof values['exit-code'] === 'number') exitCode = values['exit-code'];
    }
  });
  return { ready: ready.promise, init: init.promise, exitCode: () => exitCode };
}

/** What the programs that make the sandbox print, at most 4,000 characters of it. */
export function readMessages(stream: Readable | null): () => string {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    if (text.length < 4000) text += chunk.toString();
  });
  return () => text.trim();
}
