import type { TestApp } from '../../builders/app.js';
import type { Files } from '../live-updates/archives.js';
import { Cli } from '../processes/cli.js';

/**
 * Publishes files with the command-line tool.
 *
 * @param privateKey PEM; with it, the bundle is signed
 * @returns the id of the bundle
 */
export async function publishFolder(
  app: TestApp,
  files: Files,
  artifactType: 'zip' | 'manifest',
  privateKey?: string,
): Promise<string> {
  const cli = await Cli.create(app.tenant.owner.token, app.api.origin);
  for (const [href, content] of Object.entries(files)) await cli.write(`www/${href}`, Buffer.from(content));
  const command = ['apps:liveupdates:upload', '--app-id', app.id, '--path', 'www', '--yes'];
  const options = ['--artifact-type', artifactType];
  if (privateKey !== undefined) {
    await cli.write('key.pem', privateKey);
    options.push('--private-key', 'key.pem');
  }
  return (await cli.json<{ appBuildArtifactId: string }>(...command, ...options)).appBuildArtifactId;
}
