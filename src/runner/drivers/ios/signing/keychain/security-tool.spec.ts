import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecurityTool } from './security-tool.js';

let toolsDir: string;

beforeEach(async () => {
  toolsDir = await mkdtemp(join(tmpdir(), 'slipway-tools-'));
});

afterEach(() => rm(toolsDir, { recursive: true }));

it('does not wait for what a program has started and left, which has its output open', async () => {
  await writeFile(join(toolsDir, 'security'), '#!/bin/sh\nsleep 20\necho late\n', { mode: 0o755 });
  const { signal } = new AbortController();
  await expect(new SecurityTool({ toolsDir }, 100).run(['import'], signal)).rejects.toThrow(
    'The command security import of this Mac did not end within 1 seconds',
  );
});
