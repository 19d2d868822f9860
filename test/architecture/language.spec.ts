import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/** What to write instead of a retired word; a rule matches lines and the names of files. */
const rules: readonly (readonly [instead: string, retired: RegExp])[] = [
  ['fast path', /\b[rR]oads?\b|[a-z]Road|device-road/],
  ['check-in', /sightings?/i],
  ['position, changed, duplicate, equals (in buffers)', /\b(?:repeats|news): |MOST_TURNS|dropped_repeat\b/],
  ['ReleaseTableLoader', /\bReleaseTables\b|release-tables\./],
  ['ReleaseTableBatcher', /\bReleaseLoads\b|release-loads/],
  ['TransactionalDataSource', /joining-?data-?source/i],
  ['outsideTransaction', /apartFromRequest/],
  ['parallelUnlessInTransaction', /togetherOrInOrder/],
  ['setActor', /stateActor/],
  ['src/idempotency', /\bsrc\/writes\b|\/writes\/|writes\.module|WritesModule/],
  [
    'response (the HTTP kind; "answer" stays an English verb)',
    /(?<!until)(?<=[a-z])Answers?\b|\bAnswers?[;,>|)]|[-_]answers?\b/,
  ],
  ['notifyLocally', /tellOwn/],
  ['authorize', /[.`]admit\b|\badmit\(|admitChange/],
  ['TokenScope', /TokenLimits?\b|token-limits|limits\.decorators|\bnoLimits\b/],
  ['isScoped, covers, isSubsetOf', /\bisConfined\b|\breaches\(|\bisWithin\(/],
  ['ScopeResolver', /LimitTargets?\b|limit-targets/],
  ['findViolation, newOwner', /\brefusalOf\b|\bheir\b/],
  ['SignInMethods', /ways-?to-?sign-?in/i],
  ['verifyPassword', /provePassword/],
  ['foreign_form, of the page guard', /ForeignForm/],
  ['RolloutPlanRunner', /plan-?moves/i],
  ['rollout-plan state machine', /(?<!-)\bplan-machine|\bPlanMachine/],
  ['observedSince', /watching_?since/i],
  ['bucket', /\bplaceOf\b|\bplace of (?:a|the) device\b/],
  ['present, presentOne (in *.presenter.ts)', /\bshowOne\b|\bofOne\b|[qQ]ueries\.show\(/],
  ['RequestOrigin', /\bclient-?info\b|\bcall-?origin\b/i],
  ['excluded', /keptBack|KeptBack|\bkept-back\b/],
  ['StorageGarbage', /\bLeftovers\b/],
  ['banner', /\bannounce\.(?:js|ts)\b|\bannouncement\(/],
  ['semaphore', /simulation-?turns/i],
  ['Request lifecycle', /\bway of a request\b/i],
  [
    'show, report, document; point at',
    /\b(?:tells?|told|telling)\b(?!-the-chat| the chat\b)(?! (?:\w+ )*(?:apart|from)\b)/i,
  ],
  ['subscribed, receive', /\b(?:un)?heard\b|\bhears?\b/i],
  ['anyone who, the user who', /\bwho(?:m|so)?ever\b/i],
  ['no user, no process, not', /\bnobody\b(?!@)/i],
  ['another user, a person', /\bsomebody\b/i],
  ['must, should, or the plain verb', /\bshall\b/i],
  ['again', /\banew\b/i],
];

const root = join(import.meta.dirname, '../..');
const places = [
  '.ci',
  '.github',
  'bench',
  'deploy',
  'docs',
  'scripts',
  'src',
  'test',
  'Dockerfile',
  'docker-compose.yml',
];
const others = [
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  '.dependency-cruiser.cjs',
  'jest.config.js',
  'openapi.json',
];
const texts = new Set(['', '.cjs', '.css', '.js', '.json', '.md', '.mjs', '.sql', '.ts', '.yaml', '.yml']);

function filesIn(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(?:node_modules|results|\.cache)(?:\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const files = [...places, ...others]
  .flatMap(filesIn)
  .filter((path) => texts.has(extname(path)) && basename(path) !== 'language.spec.ts')
  .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }));
const migrations = filesIn('migrations').map((path) => ({ path, lines: [] }));

/** As `file:line: text`, or only the file where its name is meant. */
function findRetired(retired: RegExp): string[] {
  return [...files, ...migrations].flatMap(({ path, lines }) => [
    ...(retired.test(path) ? [path] : []),
    ...lines.flatMap((line, index) =>
      retired.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 160)}`] : [],
    ),
  ]);
}

it.each(rules)('writes: %s', (_instead, retired) => {
  expect(findRetired(retired)).toEqual([]);
});
