import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';
import ts from 'typescript';
import { type RestrictedPodSpec, restrictedProblems } from './restricted.ts';

/**
 * Type-checks the manifests of deploy/kubernetes with the types of the Kubernetes API: unknown fields, missing fields and
 * wrong values. Pods must also meet the Pod Security Standard "restricted". Prints one line per problem and exits with 1.
 */
const folder = join(import.meta.dirname, 'kubernetes');
// kustomize reads this file; it is not an object of the API.
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.yaml') && basename(name) !== 'kustomization.yaml',
);
const sources = new Map(names.map((name) => [join(folder, `${name}.ts`), asTypeScript(name)]));

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
host.readFile = (path) => sources.get(path) ?? readFile(path);

const program = ts.createProgram([...sources.keys()], options, host);
const problems = ts.getPreEmitDiagnostics(program);
if (problems.length > 0) {
  console.error(ts.formatDiagnostics(problems, host));
  process.exitCode = 1;
}

for (const name of names) {
  const { spec } = read(name);
  if (spec?.template?.spec === undefined) continue;
  for (const problem of restrictedProblems(spec.template.spec)) {
    console.error(`${name}: ${problem}`);
    process.exitCode = 1;
  }
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: { readonly template?: { readonly spec?: RestrictedPodSpec } };
}

function read(name: string): Manifest {
  return load(readFileSync(join(folder, name), 'utf8')) as Manifest;
}

function asTypeScript(name: string): string {
  const manifest = read(name);
  const type = `import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind}`;
  return `export default ${JSON.stringify(manifest, null, 2)} satisfies ${type};`;
}
