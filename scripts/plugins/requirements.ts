import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

/** Jars that Debian's packages install. */
export const debianJars = ['/usr/share/java/zip4j.jar', '/usr/share/java/com.android.json.jar'];

/** What the machine lacks, in words. */
export async function missingRequirements(): Promise<string[]> {
  const needed: readonly (readonly [boolean, string])[] = [
    [javaVersion() >= 17, 'a JDK 17 or newer (openjdk-17-jdk-headless)'],
    [existsSync(debianJars[0] ?? ''), 'zip4j (libzip4j-java)'],
    [existsSync(debianJars[1] ?? ''), 'org.json of Android (libandroid-json-java)'],
    [spawnSync('brotli', ['--version']).status === 0, 'the program brotli (brotli)'],
    [await canListenOn443(), 'the right to listen on port 443 of loopback addresses (root)'],
  ];
  return needed.filter(([isThere]) => !isThere).map(([, words]) => words);
}

/** The major version of `javac`; 0: there is none. */
function javaVersion(): number {
  const { stdout } = spawnSync('javac', ['-version'], { encoding: 'utf8' });
  return Number(/javac (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

/** Plugins ask for https addresses without a port. */
async function canListenOn443(): Promise<boolean> {
  const server = createServer().listen(443, '127.44.3.1');
  try {
    await once(server, 'listening');
    server.close();
    return true;
  } catch {
    return false;
  }
}
