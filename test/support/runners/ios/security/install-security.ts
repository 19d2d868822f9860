import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the program `security` into a folder of tools (`RUNNER_TOOLS_DIR`). */
export function installSecurity(toolsDir: string): void {
  mkdirSync(toolsDir, { recursive: true });
  const main = join(import.meta.dirname, 'main.ts');
  const quoted = [process.execPath, main].map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(' ');
  writeFileSync(join(toolsDir, 'security'), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
}
