import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isDeep } from '../../test/setup/depth.js';
import { temporaryFolder } from '../../test/support/processes/temporary-folders.js';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Document {
  readonly components: {
    readonly schemas: Record<string, { required?: string[]; properties: Record<string, unknown> }>;
  };
}

/** A file that uses the field which is taken away. */
const USER = 'src/parts/release.ts';

/** What the compiler says about the console, or about one file of it, when the API has another document. */
async function errorsAfter(change: (schemas: Document['components']['schemas']) => void): Promise<string[]> {
  const folder = await temporaryFolder();
  const project = join(folder, 'console');
  const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as Document;
  change(document.components.schemas);
  await Promise.all([
    writeFile(join(folder, 'openapi.json'), JSON.stringify(document)),
    cp(join(root, 'console/src'), join(project, 'src'), { recursive: true }),
    cp(join(root, 'console/tsconfig.json'), join(project, 'tsconfig.json')),
    symlink(join(root, 'node_modules'), join(folder, 'node_modules')),
  ]);
  await symlink(join(root, 'console/node_modules'), join(project, 'node_modules'));
  await run(process.execPath, [
    join(root, 'scripts/generate-client.ts'),
    join(project, 'src/api/schema.ts'),
    join(folder, 'openapi.json'),
  ]);
  if (!isDeep) {
    const { compilerOptions } = JSON.parse(await readFile(join(project, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: object;
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [USER] }));
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const output = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false'], {
    cwd: project,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  return output.split('\n').filter((line) => line.includes(': error '));
}

it('does not compile after a breaking change of the API, and the compiler names the place', async () => {
  const errors = await errorsAfter(({ DeploymentDto }) => {
    delete DeploymentDto!.properties['rolloutPercentage'];
    DeploymentDto!.required = DeploymentDto!.required!.filter((name) => name !== 'rolloutPercentage');
  });
  expect(errors.filter((error) => error.startsWith(`${USER}(`))).not.toEqual([]);
  expect(errors.filter((error) => !error.includes("'rolloutPercentage'"))).toEqual([]);
});
