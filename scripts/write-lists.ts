import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The exported classes that a pattern finds in files, with the paths for their imports. */
async function classesIn(
  root: string,
  folder: string,
  files: string,
  declaration: RegExp,
): Promise<[string, string][]> {
  const paths = globSync(files, { cwd: join(root, folder) }).sort();
  const found = paths.map(async (path) => {
    const source = await readFile(join(root, folder, path), 'utf8');
    return [...source.matchAll(declaration)].map(([, name = '']): [string, string] => [name, path]);
  });
  return (await Promise.all(found)).flat();
}

async function writeList(
  file: string,
  comment: string,
  name: string,
  classes: [string, string][],
  names: string[],
) {
  const imports = classes.map(([of, path]) => `import { ${of} } from './${path.replace(/\.ts$/, '.js')}';\n`);
  const items = names.map((item) => `  ${item},\n`);
  await writeFile(
    file,
    `${imports.join('')}\n/** ${comment} */\nexport const ${name} = [\n${items.join('')}];\n`,
  );
}

/** Writes `src/entities.ts`. @param root of the repository */
export async function writeEntityList(root: string): Promise<void> {
  const classes = await classesIn(root, 'src', '**/*.entity.ts', /^@Entity[^]*?^export class (\w+)/gm);
  await writeList(
    join(root, 'src/entities.ts'),
    'Every entity. An explicit list, because a bundle has no files to search.',
    'entities',
    classes,
    classes.map(([name]) => name).sort(),
  );
}

/** Writes `migrations/migrations.ts`. @param root of the repository */
export async function writeMigrationList(root: string): Promise<void> {
  const classes = await classesIn(root, 'migrations', '[0-9]*.ts', /^export class (\w+)/gm);
  await writeList(
    join(root, 'migrations/migrations.ts'),
    'Every migration, in order of their times. An explicit list, because a bundle has no files to search.',
    'migrations',
    classes,
    classes.map(([name]) => name),
  );
}
