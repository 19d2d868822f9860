import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser, Env, type Instruction } from 'dockerfile-ast';
import { load } from 'js-yaml';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The instructions of the Dockerfile. */
export const dockerfile = DockerfileParser.parse(read('Dockerfile'));

/** What .dockerignore keeps out of the folders that it lets in. */
export const dockerIgnored = read('.dockerignore').match(/^[^#!*\s].*$|^\*\*.*$/gm) ?? [];

/** How an image runs. */
export interface Image {
  readonly entrypoint: string[];
  /** The arguments that it has by default. */
  readonly command: string[];
  readonly healthCheck: string[];
  readonly env: Record<string, string>;
  /** All instructions of its stage. */
  readonly instructions: Instruction[];
}

/** What the last stage makes. */
export const image = imageOf(null);
/** What the stage `runner` makes. */
export const runnerImage = imageOf('runner');
/** What the stage `runner-android` adds to it. */
export const androidRunnerImage = imageOf('runner-android');

/** @param stage `null`: the last one. All must have the exec form: the shell form throws a SyntaxError. */
function imageOf(stage: string | null): Image {
  const froms = dockerfile.getFROMs();
  const at = stage === null ? froms.length - 1 : froms.findIndex((from) => from.getBuildStage() === stage);
  const lineOf = (instruction?: Instruction): number => instruction?.getRange().start.line ?? Infinity;
  const instructions = dockerfile
    .getInstructions()
    .filter((it) => lineOf(it) >= lineOf(froms[at]) && lineOf(it) < lineOf(froms[at + 1]));
  const argumentsOf = (keyword: string): string | null | undefined =>
    instructions.findLast((it) => it.getKeyword() === keyword)?.getArgumentsContent();
  return {
    entrypoint: execForm(argumentsOf('ENTRYPOINT')),
    command: execForm(argumentsOf('CMD')),
    healthCheck: execForm(argumentsOf('HEALTHCHECK')?.replace(/^[^[]*CMD /, '')),
    env: Object.fromEntries(
      instructions
        .filter((it) => it instanceof Env)
        .flatMap((env) => env.getProperties())
        .map((property) => [property.getName(), property.getValue() ?? '']),
    ),
    instructions,
  };
}

function execForm(text: string | null | undefined): string[] {
  return JSON.parse(text ?? '[]') as string[];
}

/** A service of docker-compose.yml. The interfaces list the fields that checks read. */
export interface Service {
  image: string;
  /** Arguments of the entry point. */
  command: string[];
  environment: Record<string, string>;
  env_file: string;
  ports: string[];
  volumes: string[];
  healthcheck: { test: string[] };
  /** Such as `5m30s`. */
  stop_grace_period: string;
}

export const { services, 'x-required': required } = load(read('docker-compose.yml')) as {
  services: Record<'postgres' | 'migrate' | 'api', Service>;
  /** Variables in the form of Compose that ends with an error when one is missing. */
  'x-required': string[];
};

export interface Pod {
  metadata: { labels: Record<string, string> };
  spec: { terminationGracePeriodSeconds?: number; containers: [Container] };
}

export interface Container {
  image: string;
  args?: string[];
  env: { name: string; valueFrom: { secretKeyRef: { key: string; optional?: boolean } } }[];
}

/** The object of a file of deploy/kubernetes, `name` without `.yaml`. */
export const manifest = <T = object>(name: string): T => load(read(`deploy/kubernetes/${name}.yaml`)) as T;

/** The pods of the Deployment or the Job, and their container. */
export function podsOf(name: 'deployment' | 'migrate-job'): { pod: Pod; container: Container } {
  const { template } = manifest<{ spec: { template: Pod } }>(name).spec;
  return { pod: template, container: template.spec.containers[0] };
}
