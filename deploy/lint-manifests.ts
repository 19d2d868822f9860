import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';
import ts from 'typescript';
import { type Manifest, renderings } from './render.ts';
import { restrictedProblems } from './restricted.ts';

/**
 * Type-checks the manifests of deploy/kubernetes, and what kustomize makes of them, with the types of the Kubernetes API:
 * unknown fields, missing fields and wrong values. Pods must also meet the Pod Security Standard "restricted". Prints one
 * line per problem and exits with 1. Without kubectl or kustomize, it checks the files only, and says so.
 */
const folder = join(import.meta.dirname, 'kubernetes');
// kustomize reads these files; they are not objects of the API.
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) =>
    name.endsWith('.yaml') && basename(name) !== 'kustomization.yaml' && !name.startsWith('components/'),
);
const manifests = new Map(
  files.map((name) => [name, load(readFileSync(join(folder, name), 'utf8')) as Manifest]),
);
for (const [name, objects] of renderings() ?? []) {
  for (const object of objects) manifests.set(`${name}, ${object.kind}`, object);
}
if (renderings() === null)
  console.log('NOT CHECKED: what kustomize renders (it takes kubectl or kustomize).');

const sources = new Map(
  [...manifests].map(([name, manifest], index) => [
    join(folder, `${index}.ts`),
    { name, text: asTypeScript(manifest) },
  ]),
);
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
};
const host = ts.createCompilerHost(options);
const { fileExists, readFile } = host;
host.fileExists = (path) => sources.has(path) || fileExists(path);
host.readFile = (path) => sources.get(path)?.text ?? readFile(path);

const program = ts.createProgram([...sources.keys()], options, host);
for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
  const name = sources.get(file?.fileName ?? '')?.name ?? 'kubernetes-models';
  report(`${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}
for (const [name, { spec }] of manifests) {
  if (spec?.template?.spec === undefined) continue;
  for (const problem of restrictedProblems(spec.template.spec)) report(`${name}: ${problem}`);
}

function report(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}

function asTypeScript(manifest: Manifest): string {
  const type = `import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind}`;
  return `export default ${JSON.stringify(manifest, null, 2)} satisfies ${type};`;
}
