#!/usr/bin/env node
/**
 * Checks what Slipway is deployed with: Dockerfile, docker-compose.yml and deploy/kubernetes. No container engine and
 * no cluster is needed, so that it runs wherever the tests run.
 *
 *   node deploy/check.mjs                 everything, including the image's build (minutes)
 *   node deploy/check.mjs --render-only   everything but the build (seconds)
 *
 * The build is carried out by the Dockerfile's own steps, each stage in an empty temporary folder, with this machine's
 * npm and Node in place of the base image's. Prints one line per check and per problem, then a summary; exits with 1
 * when there is a problem.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, posix } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { load, loadAll } from 'js-yaml';

const root = dirname(import.meta.dirname);
const kubernetes = join(root, 'deploy/kubernetes');
const { values: options } = parseArgs({ options: { 'render-only': { type: 'boolean', default: false } } });

/** What the API promises to whoever operates it; its own tests hold it to that. */
const PORT = 3000;
const LIVE = '/health/live';
const READY = '/health/ready';
/** Node refuses a request that takes longer than this to arrive: the longest upload that a shutdown may meet. */
const LONGEST_UPLOAD_SECONDS = 300;
/** The only values that the operator has to give to docker-compose.yml. */
const REQUIRED_BY_COMPOSE = ['BOOTSTRAP_EMAIL', 'BOOTSTRAP_TOKEN', 'ENCRYPTION_KEY'];

let passed = 0;
let failed = 0;

/**
 * Runs one check and prints its outcome.
 *
 * @param name what is checked
 * @param run calls its argument with every problem it finds, or throws
 */
function check(name, run) {
  const problems = [];
  try {
    run((problem) => problems.push(problem));
  } catch (error) {
    problems.push(error.message);
  }
  if (problems.length === 0) {
    passed += 1;
    console.log(`ok    ${name}`);
  } else {
    failed += 1;
    for (const problem of problems) console.log(`FAIL  ${name}: ${problem.replaceAll(/\s*\n\s*/g, ' | ')}`);
  }
}

const read = (path) => fs.readFileSync(join(root, path), 'utf8');
const isSubset = (part, whole) => Object.entries(part).every(([key, value]) => whole[key] === value);
const sorted = (items) => [...items].toSorted();

/** Items that only one of two lists has, as problems. */
function differences(actual, expected, extra, missing) {
  const superfluous = actual.filter((item) => !expected.includes(item)).map((item) => `${item} ${extra}`);
  const absent = expected.filter((item) => !actual.includes(item)).map((item) => `${item} ${missing}`);
  return [...superfluous, ...absent];
}

// ---- The Dockerfile ------------------------------------------------------------------------------------------------

/**
 * Reads the part of the Dockerfile syntax that ours uses: no heredocs, no parser directives, no variables but in LABEL.
 *
 * @returns the stages in order, each with its base image, its name and its instructions
 */
function parseDockerfile(text) {
  const stages = [];
  const withoutComments = text.replaceAll(/^\s*#.*\n/gm, '');
  for (const line of withoutComments.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    if (line.trim() === '') continue;
    const { op, rest } = /^\s*(?<op>[A-Z]+)\s+(?<rest>.+)$/.exec(line)?.groups ?? {};
    if (op === undefined) throw new Error(`cannot read "${line}"`);
    if (op === 'FROM') {
      const [base, , name = String(stages.length)] = rest.split(/\s+/);
      stages.push({ base, name, instructions: [] });
      continue;
    }
    const flags = {};
    let value = rest.trim();
    let flag;
    while ((flag = /^--([\w-]+)=(\S+)\s+/.exec(value)) !== null) {
      flags[flag[1]] = flag[2];
      value = value.slice(flag[0].length);
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${op} stands before the first FROM`);
    stage.instructions.push({ op, flags, value, words: value.split(/\s+/) });
  }
  return stages;
}

/** `KEY=value KEY="value"`, as ENV and LABEL take it. */
function parsePairs(value) {
  return Object.fromEntries(
    [...value.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, key, quoted, plain]) => [
      key,
      quoted ?? plain,
    ]),
  );
}

/** What an image of this stage is configured with. */
function settingsOf(stage) {
  const last = (op) => stage.instructions.findLast((instruction) => instruction.op === op);
  const all = (op) => stage.instructions.filter((instruction) => instruction.op === op);
  const command = last('CMD')?.value ?? '';
  return {
    env: Object.assign({}, ...all('ENV').map(({ value }) => parsePairs(value))),
    labels: Object.assign({}, ...all('LABEL').map(({ value }) => parsePairs(value))),
    user: last('USER')?.value,
    ports: all('EXPOSE').flatMap(({ words }) => words.map(Number)),
    volumes: all('VOLUME').flatMap(({ words }) => words),
    healthcheck: last('HEALTHCHECK')?.value ?? '',
    command: command.startsWith('[') ? JSON.parse(command) : undefined,
  };
}

/** Whether .dockerignore keeps a path out: the last pattern that matches the path or a folder above it decides. */
function isIgnored(path, patterns) {
  const parts = path.split('/');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return patterns.reduce(
    (ignored, { negated, regex }) => (paths.some((p) => regex.test(p)) ? !negated : ignored),
    false,
  );
}

function parseDockerignore(text) {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const glob = line.replace(/^!/, '').replace(/^\/|\/$/g, '');
      const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
      const source = escaped.replaceAll(/\*\*\/|\*\*|\*|\?/g, (token) => {
        return { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }[token];
      });
      return { negated: line.startsWith('!'), regex: new RegExp(`^${source}$`) };
    });
}

/** The files that a fresh checkout with the changes of this one would send to the build. */
function buildContext() {
  const patterns = parseDockerignore(read('.dockerignore'));
  const list = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  if (list.status !== 0) throw new Error(`git ls-files failed: ${list.output}`);
  const files = new Set(list.stdout.split('\0').filter((file) => file !== ''));
  return [...files].filter((file) => !isIgnored(file, patterns) && fs.existsSync(join(root, file)));
}

// ---- Carrying out the Dockerfile -----------------------------------------------------------------------------------

/** Runs a program to its end. */
function run(file, args, { cwd, env = process.env, timeout }) {
  const options = { cwd, env, timeout, encoding: 'utf8', maxBuffer: 2 ** 28, killSignal: 'SIGKILL' };
  const { status, stdout, stderr, error } = spawnSync(file, args, options);
  return { status, stdout: stdout ?? '', output: `${stdout ?? ''}${stderr ?? ''}`.trim(), error };
}

/**
 * The environment of a build step: what npm needs to find its registry and cache, and nothing that would make a step
 * succeed here and fail in a container, such as this checkout's programs or Slipway's own variables.
 */
function cleanEnvironment(binaries, documented) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const foreign = new Set([...documented, 'NODE_ENV', 'NODE_OPTIONS', 'NODE_PATH', 'INIT_CWD', 'NODE']);
  const ofAnotherRun =
    /^npm_(package_|lifecycle_|command$|execpath$|node_execpath$|config_(local|global)_prefix$)/;
  const entries = Object.entries(process.env).filter(
    ([name]) => !foreign.has(name) && !ofAnotherRun.test(name),
  );
  return { ...Object.fromEntries(entries), PATH: [binaries, ...path].join(delimiter) };
}

/** Provides a folder with `node` alone, of the version that the base image has. */
function provideNode(base, folder) {
  const major = /^node:(\d+)-/.exec(base)?.[1];
  if (major === undefined) throw new Error(`cannot tell the Node version of ${base}`);
  const candidates = [join(root, 'node_modules/node/bin/node'), process.execPath].filter((file) =>
    fs.existsSync(file),
  );
  const node = candidates.find((file) => run(file, ['--version'], {}).stdout.startsWith(`v${major}.`));
  if (node === undefined)
    throw new Error(`Node ${major}, as in ${base}, is not installed here: run npm ci first`);
  fs.mkdirSync(folder);
  fs.symlinkSync(node, join(folder, 'node'));
  return folder;
}

/** A stage under construction: a folder in place of the image's root. */
class Stage {
  directory = '/';
  env = {};
  /** Owners given to folders; recorded only, because changing owners takes root. */
  owners = new Map();

  constructor(folder, hostEnvironment) {
    this.folder = folder;
    this.hostEnvironment = hostEnvironment;
    fs.mkdirSync(folder, { recursive: true });
  }

  /** Where a path of the image is on this machine. */
  path(path) {
    return join(this.folder, posix.resolve('/', this.directory, path));
  }

  /** Runs a program as in the image. Absolute paths in variables lead into the stage's folder. */
  run(file, args, env = {}, timeout) {
    const own = Object.entries(this.env).map(([key, value]) => [
      key,
      value.startsWith('/') ? this.path(value) : value,
    ]);
    const environment = { ...this.hostEnvironment, ...Object.fromEntries(own), ...env };
    return run(file, args, { cwd: this.path('.'), env: environment, timeout });
  }

  execute({ op, flags, value, words }, context, stages) {
    if (op === 'WORKDIR') {
      this.directory = posix.resolve(this.directory, value);
      fs.mkdirSync(this.path('.'), { recursive: true });
    } else if (op === 'ENV') {
      Object.assign(this.env, parsePairs(value));
    } else if (op === 'COPY') {
      this.copy(
        words.slice(0, -1),
        words.at(-1),
        flags.from === undefined ? context : stages.get(flags.from),
      );
    } else if (op === 'RUN') {
      for (const command of value.split(/\s+&&\s+/)) this.shell(command.split(/\s+/));
    } else if (!['ARG', 'LABEL', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'].includes(op)) {
      throw new Error(`this check does not know ${op}`);
    }
  }

  copy(sources, destination, from) {
    if (from === undefined) throw new Error('COPY --from names a stage that does not exist');
    for (const source of sources) {
      const path = from.path(source);
      if (!fs.existsSync(path)) throw new Error(`COPY ${source}: not in the build context or stage`);
      const intoFolder = destination.endsWith('/') && !fs.statSync(path).isDirectory();
      const target = intoFolder ? join(this.path(destination), basename(source)) : this.path(destination);
      fs.cpSync(path, target, { recursive: true, verbatimSymlinks: true });
    }
  }

  shell([program, ...args]) {
    if (program === 'npm') {
      const { status, output } = this.run('npm', args);
      if (status !== 0) {
        // npm says first what went wrong; a compiler says it at the end of what it printed.
        const lines = output.split('\n').filter((line) => !line.startsWith('npm warn'));
        const excerpt = lines.length > 20 ? [...lines.slice(0, 10), '…', ...lines.slice(-10)] : lines;
        throw new Error(`RUN npm ${args.join(' ')} failed: ${excerpt.join('\n')}`);
      }
    } else if (program === 'install' && args[0] === '-d') {
      const folder = args.at(-1);
      fs.mkdirSync(this.path(folder), { recursive: true });
      this.owners.set(folder, args[args.indexOf('-o') + 1]);
    } else {
      throw new Error(`RUN ${program}: this check carries out npm and install -d only`);
    }
  }
}

/** Carries out all stages and returns the last one. */
function build(dockerfile, folder, documented) {
  const environment = cleanEnvironment(provideNode(dockerfile[0].base, join(folder, 'bin')), documented);
  const context = new Stage(join(folder, 'context'), environment);
  for (const file of buildContext())
    fs.cpSync(join(root, file), context.path(file), { verbatimSymlinks: true });
  const stages = new Map();
  for (const { name, instructions } of dockerfile) {
    const stage = new Stage(join(folder, 'stages', name), environment);
    stages.set(name, stage);
    for (const instruction of instructions) stage.execute(instruction, context, stages);
  }
  return stages.get(dockerfile.at(-1).name);
}

/** A program that lacks a variable must end with a sentence about it, and without a stack trace. */
function checkRefusal(stage, [file, ...args], env, variable, problem) {
  const { status, output, error } = stage.run(file, args, env, 60_000);
  const command = [file, ...args].join(' ');
  if (error !== undefined)
    problem(`${command}: ${error.code === 'ETIMEDOUT' ? 'still running after 60 s' : error.message}`);
  else if (status === 0) problem(`${command} ended with 0 although ${variable} is not set`);
  else if (!output.includes(variable))
    problem(`${command} ended without a word about ${variable}: ${output.slice(-500)}`);
  else if (/(\n|\\n)\s+at /.test(output))
    problem(`${command} printed a stack trace: ${output.slice(0, 500)}`);
}

/** The packages that compiled files import, with one importing file each. Dynamic imports may be optional: not seen. */
function importedPackages(folder) {
  const statement =
    /^(?:import(?:\s[\w$*{},\s]+?\sfrom)?|export\s(?:\*[\w$\s]*|\{[^}]*\})\sfrom)\s*['"]([^'"]+)['"]/gm;
  const packages = new Map();
  for (const file of fs.readdirSync(folder, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    for (const [, specifier] of fs.readFileSync(join(folder, file), 'utf8').matchAll(statement)) {
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [''];
      if (!specifier.startsWith('.') && !isBuiltin(specifier)) packages.set(name, file);
    }
  }
  return packages;
}

function checkBuild(dockerfile, migration, documented) {
  const folder = fs.mkdtempSync(join(tmpdir(), 'slipway-image-'));
  let stage;
  try {
    check('Dockerfile: all steps succeed', () => void (stage = build(dockerfile, folder, documented)));
    if (stage === undefined) return;
    const { command, volumes, user } = settingsOf(dockerfile.at(-1));
    check('image: holds what runs and nothing else', (problem) => {
      const expected = ['dist', 'node_modules', 'openapi.json', 'package.json'];
      differences(fs.readdirSync(stage.path('.')), expected, 'does not belong there', 'is missing').forEach(
        problem,
      );
      for (const script of [command, migration].flatMap((words) =>
        words.filter((word) => word.endsWith('.js')),
      )) {
        if (!fs.existsSync(stage.path(script))) problem(`${script} is missing`);
      }
      for (const volume of volumes) {
        if (stage.owners.get(volume) !== user) problem(`${volume} does not belong to ${user}`);
      }
    });
    check('image: no development dependency', (problem) => {
      const { packages } = JSON.parse(read('package-lock.json'));
      const present = Object.entries(packages).filter(
        ([path, { dev }]) => dev && fs.existsSync(stage.path(path)),
      );
      present.forEach(([path]) => problem(`${path} is there`));
    });
    check('image: every package that the program imports', (problem) => {
      for (const [name, file] of importedPackages(stage.path('dist'))) {
        if (!fs.existsSync(stage.path(`node_modules/${name}`))) problem(`${name} (dist/${file}) is missing`);
      }
    });
    check('image: says what configuration is missing', (problem) => {
      const withDatabase = { DATABASE_URL: 'postgres://slipway@127.0.0.1:1/slipway' };
      checkRefusal(stage, command, {}, 'DATABASE_URL', problem);
      checkRefusal(stage, command, withDatabase, 'ENCRYPTION_KEY', problem);
      if (migration.length === 0) problem('there is no npm script migration:run:prod');
      else checkRefusal(stage, migration, {}, 'DATABASE_URL', problem);
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function checkDockerfile(dockerfile) {
  const { env, labels, user, ports, volumes, healthcheck, command } = settingsOf(dockerfile.at(-1));
  check('Dockerfile: stages', (problem) => {
    if (new Set(dockerfile.map(({ base }) => base)).size !== 1)
      problem('the stages have different base images');
    if (!dockerfile[0].base.startsWith('node:24-')) problem(`the base image is ${dockerfile[0].base}`);
  });
  check('Dockerfile: how the image runs', (problem) => {
    if (user === undefined || ['root', '0'].includes(user)) problem('the image runs as root');
    if (command?.[0] !== 'node')
      problem('CMD must start node itself, in exec form, so that SIGTERM reaches it');
    if (env.NODE_ENV !== 'production') problem('NODE_ENV is not production');
    if (!isDeepStrictEqual(ports, [PORT])) problem(`EXPOSE must be ${PORT}`);
    if (!isDeepStrictEqual(volumes, [env.DATA_DIR])) problem('VOLUME and DATA_DIR differ');
    if (!healthcheck.includes(LIVE)) problem(`HEALTHCHECK does not ask ${LIVE}`);
    for (const label of ['title', 'description', 'version', 'revision']) {
      if (labels[`org.opencontainers.image.${label}`] === undefined) problem(`label ${label} is missing`);
    }
  });
  check('.dockerignore: lets the sources in and keeps everything else out', (problem) => {
    const files = buildContext();
    for (const { op, flags, words } of dockerfile.flatMap(({ instructions }) => instructions)) {
      if (op !== 'COPY' || flags.from !== undefined) continue;
      for (const source of words.slice(0, -1).map((word) => word.replace(/\/$/, ''))) {
        if (!files.some((file) => file === source || file.startsWith(`${source}/`)))
          problem(`no file for COPY ${source}`);
      }
    }
    const patterns = parseDockerignore(read('.dockerignore'));
    for (const path of [
      '.env',
      '.git/config',
      '.slipway/token',
      'dist/src/main.js',
      'node_modules/pg/package.json',
    ]) {
      if (!isIgnored(path, patterns)) problem(`${path} would be sent to the build`);
    }
  });
}

// ---- Configuration -------------------------------------------------------------------------------------------------

/** The environment variables that the program reads. */
function variablesOfProgram() {
  const sources = fs.readdirSync(join(root, 'src/config')).filter((name) => /(?<!\.spec)\.ts$/.test(name));
  return sources.flatMap((name) =>
    [...read(`src/config/${name}`).matchAll(/@Env\('(\w+)'\)/g)].map(([, variable]) => variable),
  );
}

/** The environment variables in the first column of the table of docs/configuration.md. */
function documentedVariables() {
  return [...read('docs/configuration.md').matchAll(/^\| `([A-Z][A-Z0-9_]*)`/gm)].map(([, name]) => name);
}

/** A script that the deployment runs exists in the sources, and is what package.json runs. */
function checkMigrationCommand(where, command, problem) {
  const script = JSON.parse(read('package.json')).scripts['migration:run:prod'];
  if (command?.join(' ') !== script) {
    problem(`${where} runs "${command?.join(' ')}", the npm script migration:run:prod "${script}"`);
  }
}

// ---- docker-compose.yml --------------------------------------------------------------------------------------------

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` (not nested), as Compose does. */
function interpolate(text, env) {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, operator, argument) => {
    if (operator === '?' && !env[name]) throw new Error(`${name} ${argument}`);
    return env[name] || (operator === '-' ? argument : '');
  });
}

/** `1m30s` in seconds. */
function seconds(duration) {
  const units = { h: 3600, m: 60, s: 1 };
  return [...String(duration).matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit]) => sum + count * units[unit],
    0,
  );
}

function checkCompose(image, documented) {
  const text = read('docker-compose.yml');
  const example = Object.fromEntries(REQUIRED_BY_COMPOSE.map((name) => [name, 'example']));
  let compose;
  check('docker-compose.yml: is YAML', () => void (compose = load(interpolate(text, example))));
  if (compose === undefined) return;
  const { postgres, migrate, api } = compose.services ?? {};
  if (!postgres || !migrate || !api) return check('docker-compose.yml: services', (p) => p('one is missing'));

  check('docker-compose.yml: variables', (problem) => {
    const required = [...text.matchAll(/\$\{(\w+):\?([^}]*)\}/g)];
    const names = required.map(([, name]) => name);
    differences(names, REQUIRED_BY_COMPOSE, 'should have a default', 'is not required').forEach(problem);
    for (const [, name, message] of required) if (message.length < 10) problem(`${name}: no helpful message`);
    const own = ['POSTGRES_PASSWORD', 'SLIPWAY_IMAGE'];
    const used = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    for (const name of [...used, ...Object.keys(api.environment), ...Object.keys(migrate.environment)]) {
      if (!documented.includes(name) && !own.includes(name)) problem(`${name} is not documented`);
    }
    if (!isDeepStrictEqual(api.environment, migrate.environment))
      problem('api and migrate differ in their environment');
  });
  check('docker-compose.yml: database', (problem) => {
    const major = Number(/^postgres:(\d+)/.exec(postgres.image)?.[1]);
    if (!(major >= 15)) problem(`PostgreSQL 15 or newer is required, not ${postgres.image}`);
    if (postgres.healthcheck?.test === undefined) problem('postgres has no health check');
    const folder = major >= 18 ? '/var/lib/postgresql' : '/var/lib/postgresql/data';
    if (!postgres.volumes?.some((volume) => volume.endsWith(`:${folder}`))) problem(`no volume at ${folder}`);
    if (postgres.ports !== undefined) problem('the database is published');
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = postgres.environment;
    const url = `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`;
    if (api.environment.DATABASE_URL !== url) problem(`DATABASE_URL is not ${url}`);
  });
  check('docker-compose.yml: services', (problem) => {
    const conditions = (service) =>
      Object.entries(service.depends_on).map(([name, { condition }]) => `${name} ${condition}`);
    const healthy = 'postgres service_healthy';
    if (!isDeepStrictEqual(conditions(migrate), [healthy]))
      problem('migrate must wait for a healthy postgres');
    if (!isDeepStrictEqual(sorted(conditions(api)), ['migrate service_completed_successfully', healthy])) {
      problem('api must wait for postgres and for the end of migrate');
    }
    checkMigrationCommand('migrate', migrate.command, problem);
    if (migrate.restart !== 'no') problem('migrate must not be restarted');
    if (!api.restart || !postgres.restart) problem('a service has no restart policy');
    if (!api.build || migrate.build)
      problem('api alone must build the image: two builds of one name collide');
    if (api.image !== migrate.image) problem('api and migrate run different images');
    if (!api.ports.every((port) => port.endsWith(`:${PORT}`))) problem(`the container's port is ${PORT}`);
    if (!JSON.stringify(api.healthcheck).includes(`:${PORT}${READY}`))
      problem(`the health check of api is not ${READY}`);
    if (!api.volumes.some((volume) => volume.endsWith(`:${image.env.DATA_DIR}`)))
      problem('no volume at DATA_DIR');
    const delay = Number(api.environment.SHUTDOWN_DELAY_SECONDS ?? 0);
    if (seconds(api.stop_grace_period) <= delay + LONGEST_UPLOAD_SECONDS)
      problem('stop_grace_period is too short');
    const mounted = [postgres, migrate, api].flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0]),
    );
    differences(mounted, Object.keys(compose.volumes), 'is not declared', 'is not mounted').forEach(problem);
  });
  if (run('docker', ['compose', 'version'], {}).status === 0) {
    check('docker-compose.yml: docker compose config', (problem) => {
      const args = [
        'compose',
        '--file',
        join(root, 'docker-compose.yml'),
        '--env-file',
        '/dev/null',
        'config',
        '--quiet',
      ];
      const accepted = run('docker', args, { env: { ...process.env, ...example } });
      if (accepted.status !== 0) problem(accepted.output);
      const refused = run('docker', args, { env: { ...process.env, ENCRYPTION_KEY: '' } });
      if (refused.status === 0) problem('accepts an environment without ENCRYPTION_KEY');
    });
  }
}

// ---- deploy/kubernetes ---------------------------------------------------------------------------------------------

const TEMPLATE = 'secret.example.yaml';

/** Security settings, probes and references of one pod template. */
function checkPod(resource, { find, images, image }, problem) {
  const { metadata, spec } = resource.spec.template;
  const context = spec.securityContext ?? {};
  const complain = (text) => problem(`${resource.kind} ${resource.metadata.name}: ${text}`);
  if (context.runAsNonRoot !== true || !(context.runAsUser > 0)) complain('may run as root');
  if (context.seccompProfile?.type !== 'RuntimeDefault') complain('no seccomp profile');
  if (spec.automountServiceAccountToken !== false) complain('mounts a service account token');
  if (!find('ServiceAccount', spec.serviceAccountName))
    complain(`no ServiceAccount ${spec.serviceAccountName}`);
  if (Object.keys(metadata?.labels ?? {}).length === 0) complain('its pods have no labels');
  for (const { persistentVolumeClaim: claim } of spec.volumes ?? []) {
    if (claim && !find('PersistentVolumeClaim', claim.claimName))
      complain(`no PersistentVolumeClaim ${claim.claimName}`);
  }
  for (const container of spec.containers) {
    const security = container.securityContext ?? {};
    if (security.allowPrivilegeEscalation !== false) complain('allows privilege escalation');
    if (security.readOnlyRootFilesystem !== true) complain('has a writable root file system');
    if (!isDeepStrictEqual(security.capabilities?.drop, ['ALL'])) complain('keeps capabilities');
    if (!container.resources?.requests?.cpu || !container.resources.limits?.memory) complain('no resources');
    if (!images.includes(container.image))
      complain(`the kustomization does not set the image ${container.image}`);
    const volumes = (spec.volumes ?? []).map(({ name }) => name);
    for (const { name } of container.volumeMounts ?? [])
      if (!volumes.includes(name)) complain(`no volume ${name}`);
    if (!container.volumeMounts?.some(({ mountPath }) => mountPath === '/tmp')) complain('no writable /tmp');
    const names = (container.env ?? []).map(({ name }) => name);
    for (const { configMapRef } of container.envFrom ?? []) {
      const map = find('ConfigMap', configMapRef?.name);
      if (map === undefined) complain(`no ConfigMap ${configMapRef?.name}`);
      else names.push(...Object.keys(map.data));
    }
    for (const name of names) if (!image.documented.includes(name)) complain(`${name} is not documented`);
    if (new Set(names).size !== names.length) complain('sets a variable twice');
    for (const { name, valueFrom } of container.env ?? []) {
      const { name: secret, key } = valueFrom?.secretKeyRef ?? {};
      if (secret === undefined) continue;
      if (find('Secret', secret)?.stringData[key] === undefined)
        complain(`${name}: no key ${key} in ${TEMPLATE}`);
    }
  }
}

function checkKubernetes(image) {
  const documents = new Map();
  const files = sorted(fs.readdirSync(kubernetes));
  for (const file of files) {
    check(`deploy/kubernetes/${file}`, (problem) => {
      const all = loadAll(fs.readFileSync(join(kubernetes, file), 'utf8'));
      for (const document of all) {
        if (!document?.apiVersion || !document.kind) problem('a document without apiVersion or kind');
        else if (document.kind !== 'Kustomization' && !document.metadata?.name) {
          problem(`${document.kind} without a name`);
        } else documents.set(file, all);
      }
    });
  }
  const kustomization = documents.get('kustomization.yaml')?.[0];
  // What cannot be read has been reported; the rest would only repeat it.
  if (kustomization === undefined || documents.size < files.length) return;
  const resources = [...documents].flatMap(([file, all]) => (file === 'kustomization.yaml' ? [] : all));
  const find = (kind, name) => resources.find((item) => item.kind === kind && item.metadata.name === name);
  const only = (kind) => resources.find((item) => item.kind === kind);
  const [deployment, job] = [only('Deployment'), only('Job')];
  const [service, budget] = [only('Service'), only('PodDisruptionBudget')];
  const [secret, map, claim] = [only('Secret'), only('ConfigMap'), only('PersistentVolumeClaim')];
  const pods = deployment.spec.template;
  const [container] = pods.spec.containers;

  check('deploy/kubernetes: kustomization', (problem) => {
    const others = files.filter((file) => file !== 'kustomization.yaml' && file !== TEMPLATE);
    differences(kustomization.resources, others, 'is listed, but not there', 'is not listed').forEach(
      problem,
    );
    const keys = resources.map((item) => `${item.kind} ${item.metadata.name}`);
    if (new Set(keys).size !== keys.length) problem('two resources have the same kind and name');
  });
  check('deploy/kubernetes: selectors', (problem) => {
    const { matchLabels } = deployment.spec.selector;
    if (!isSubset(matchLabels, pods.metadata.labels)) problem('the Deployment does not select its pods');
    if (!isSubset(service.spec.selector, pods.metadata.labels))
      problem('the Service does not select the pods');
    if (isSubset(service.spec.selector, job.spec.template.metadata.labels))
      problem('the Service selects the Job, too');
    if (!isDeepStrictEqual(budget.spec.selector.matchLabels, matchLabels))
      problem('the budget is not about the Deployment');
  });
  check('deploy/kubernetes: pods', (problem) => {
    const references = { find, images: kustomization.images.map(({ name }) => name), image };
    for (const resource of [deployment, job]) checkPod(resource, references, problem);
    checkMigrationCommand('the Job', job.spec.template.spec.containers[0].command, problem);
  });
  check('deploy/kubernetes: ports and probes', (problem) => {
    const { name, containerPort } = container.ports[0];
    if (containerPort !== PORT) problem(`containerPort is not ${PORT}`);
    if (service.spec.ports.some(({ targetPort }) => targetPort !== name))
      problem(`a port of the Service is not ${name}`);
    const metrics = container.ports.find((port) => port.name === 'metrics');
    for (const port of [metrics?.containerPort, pods.metadata.annotations?.['prometheus.io/port']]) {
      if (String(port) !== map.data.METRICS_PORT) problem('a port of the metrics is not METRICS_PORT');
    }
    for (const [probe, path] of Object.entries({
      startupProbe: LIVE,
      livenessProbe: LIVE,
      readinessProbe: READY,
    })) {
      const get = container[probe]?.httpGet;
      if (get?.path !== path || get.port !== name) problem(`${probe} does not ask ${path} at port ${name}`);
    }
  });
  check('deploy/kubernetes: configuration and secrets', (problem) => {
    for (const [key, value] of Object.entries(secret.stringData)) {
      if (value !== '') problem(`${TEMPLATE} has a value for ${key}`);
      if (!image.documented.includes(key)) problem(`${key} is not documented`);
    }
    for (const [key, value] of Object.entries(map.data)) {
      if (typeof value !== 'string') problem(`${key} in the ConfigMap is not a string`);
    }
  });
  check('deploy/kubernetes: storage and shutdown', (problem) => {
    const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
    if (!mounts.includes(map.data.DATA_DIR)) problem('DATA_DIR is not a mounted volume');
    const { replicas, strategy } = deployment.spec;
    if (claim.spec.accessModes[0] === 'ReadWriteOnce' && !(replicas === 1 && strategy.type === 'Recreate')) {
      problem('a ReadWriteOnce volume takes one replica and the strategy Recreate');
    }
    const longest = Number(map.data.SHUTDOWN_DELAY_SECONDS) + LONGEST_UPLOAD_SECONDS;
    if (!(pods.spec.terminationGracePeriodSeconds > longest))
      problem(`terminationGracePeriodSeconds must exceed ${longest}`);
  });
  const renderers = { kubectl: ['kustomize', kubernetes], kustomize: ['build', kubernetes] };
  for (const [renderer, args] of Object.entries(renderers)) {
    if (run(renderer, ['version', ...(renderer === 'kubectl' ? ['--client'] : [])], {}).status !== 0)
      continue;
    check(`deploy/kubernetes: ${renderer} renders it`, (problem) => {
      const { status, stdout, output } = run(renderer, args, {});
      if (status !== 0) return problem(output);
      const expected = resources.filter(({ kind }) => kind !== 'Secret').map(({ kind }) => kind);
      const kinds = loadAll(stdout).map(({ kind }) => kind);
      differences(kinds, expected, 'is rendered, but not in the files', 'is not rendered').forEach(problem);
      if (/image: slipway$/m.test(stdout)) problem('an image is not replaced');
    });
  }
}

// ---- All of it -----------------------------------------------------------------------------------------------------

let documented = [];
check('docs/configuration.md: names every variable of the program', (problem) => {
  documented = documentedVariables();
  differences(documented, variablesOfProgram(), 'does not exist', 'is not documented').forEach(problem);
});

let dockerfile;
check('Dockerfile: can be read', () => void (dockerfile = parseDockerfile(read('Dockerfile'))));
if (dockerfile !== undefined) {
  const image = { ...settingsOf(dockerfile.at(-1)), documented };
  checkDockerfile(dockerfile);
  checkCompose(image, documented);
  checkKubernetes(image);
  if (!options['render-only']) {
    const migration = JSON.parse(read('package.json')).scripts['migration:run:prod']?.split(' ') ?? [];
    checkBuild(dockerfile, migration, documented);
  }
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
