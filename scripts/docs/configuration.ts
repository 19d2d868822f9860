import { table } from './table.ts';

const intro = `# Configuration

You configure Slipway with environment variables, which it reads once at start. Nothing is required: without any variable, Slipway starts its own PostgreSQL and stores everything in \`.slipway\`.

- Values are trimmed. An empty variable counts as unset.
- An invalid value stops the start. Slipway prints one line for each invalid variable.
- Slipway reads no configuration file. To load variables from a file, use Node's \`node --env-file=<file> dist/slipway.js\`.
`;

const outro = `Only the owner can read the files that the embedded default creates in \`DATA_DIR\` (\`encryption-key\`, \`token\`).

\`npm run docs:generate\` generates this page from \`src/config\`. To add a variable, add a property with \`@Env('NAME')\` and a doc comment there. \`@default\` describes a default that is no literal, and \`@values\` the values that its decorators do not state.
`;

/** At most seven: a newcomer reads them. */
const FIRST: readonly (readonly [name: string, why: string])[] = [
  ['DATABASE_URL', 'Your PostgreSQL.'],
  [
    'ENCRYPTION_KEY',
    'Encrypts secrets in the database: `openssl rand -base64 32`. Keep it apart from backups.',
  ],
  ['BOOTSTRAP_EMAIL', 'The email address of the first user. Slipway reads it only while there is no user.'],
  ['BOOTSTRAP_TOKEN', "The first user's API token: `slipway token` prints one."],
  [
    'PUBLIC_URL',
    'The address that people and devices use. Links in mail and download addresses begin with it.',
  ],
  ['TRUST_PROXY', 'The proxy in front, usually `1`. Otherwise all clients have its address.'],
  [
    'STORAGE',
    '`s3` for a bucket, with the `S3_` variables. With the default, `disk`, `DATA_DIR` is a volume.',
  ],
];

interface Section {
  readonly title: string;
  /** What the reader does with the variables. */
  readonly intro: string;
  /** Names in src/config/groups without `-config.ts`, in the order of the page. */
  readonly groups: readonly string[];
}

const SECTIONS: readonly Section[] = [
  {
    title: 'Addresses, proxies and processes',
    intro: 'Where the API listens, how clients reach it, and how it stops.',
    groups: ['http', 'installation'],
  },
  { title: 'Keys and the first user', intro: 'Credentials of the installation.', groups: ['security'] },
  {
    title: 'Database',
    intro: 'PostgreSQL, and the background work that it keeps.',
    groups: ['database', 'queue'],
  },
  {
    title: 'Files',
    intro: 'Where bundles and artifacts are stored. See [object storage](object-storage.md).',
    groups: ['storage', 's3'],
  },
  {
    title: 'People',
    intro:
      'How people [sign in](authentication.md), with [OpenID Connect](openid-connect.md) too, and what mail they get.',
    groups: ['sign-in', 'mail'],
  },
  {
    title: 'Update checks and devices',
    intro: 'What [update checks](update-checks.md) keep in memory, and which devices are recorded.',
    groups: ['update-check', 'device'],
  },
  {
    title: 'Builds and runners',
    intro:
      'The queue of [jobs](jobs.md), and calls to addresses that users enter. A runner has [variables of its own](runners.md).',
    groups: ['job', 'runner', 'outbound'],
  },
  {
    title: 'App stores',
    intro: 'Where [submissions](app-submissions.md) to app stores go, and how.',
    groups: ['store'],
  },
  {
    title: 'Events and webhooks',
    intro: 'What other programs get: [events](events.md) and [webhooks](webhooks.md).',
    groups: ['event'],
  },
  {
    title: 'Retention',
    intro: 'How long data is kept. See [retention](retention.md).',
    groups: ['retention'],
  },
  {
    title: 'Limits',
    intro: 'What one caller, user, organization or app may use.',
    groups: ['rate-limit', 'organization', 'limit', 'license'],
  },
  { title: 'Logs', intro: 'What the process prints.', groups: ['log'] },
];

/** The files that declare variables, in the order of the page. */
export const CONFIG_FILES = SECTIONS.flatMap(({ groups }) => groups.map(fileOf));

/** A documented property: comment, name, further decorators, initializer. */
const PROPERTY =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*@Env\('(\w+)'(?:, [^)]*)?\)([^;]*?)\n  \w+: [^=;]*= ([^;]*);/g;

/** The page docs/configuration.md. @param sources the text of `CONFIG_FILES` */
export function renderConfiguration(sources: readonly string[]): string {
  const sections = SECTIONS.flatMap(({ title, intro: what, groups }) => {
    const rows = groups.flatMap((group) => rowsOf(sources[CONFIG_FILES.indexOf(fileOf(group))] ?? ''));
    return [`## ${title}\n\n${what}\n`, table(['Variable', 'Meaning', 'Default', 'Values'], rows)];
  });
  const first = table(
    ['Variable', 'Why'],
    FIRST.map(([name, why]) => [`\`${name}\``, why]),
  );
  const begin = `## What production needs first\n\n${first}\nSet the others when you have a reason.\n`;
  return [intro, begin, ...sections, outro].join('\n');
}

function fileOf(group: string): string {
  return `src/config/groups/${group}-config.ts`;
}

function rowsOf(source: string): string[][] {
  return [...source.matchAll(PROPERTY)].map(
    ([, comment = '', name = '', decorators = '', initializer = '']) => {
      const { meaning, tags } = parsed(comment);
      return [
        `\`${name}\``,
        meaning,
        tags.get('default') ?? defaultOf(initializer),
        tags.get('values') ?? valuesOf(name, decorators),
      ];
    },
  );
}

function parsed(comment: string): { meaning: string; tags: ReadonlyMap<string, string> } {
  const text = comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  const [meaning = '', ...tags] = text.split(/ ?@(?=default |values )/);
  return {
    meaning,
    tags: new Map(tags.map((tag) => [tag.slice(0, tag.indexOf(' ')), tag.slice(tag.indexOf(' ') + 1)])),
  };
}

function defaultOf(initializer: string): string {
  if (initializer === 'null') return 'none';
  return `\`${initializer.replace(/^'|'$/g, '').replace(/(?<=\d)_/g, '')}\``;
}

function valuesOf(name: string, decorators: string): string {
  if (decorators.includes('@IsBoolean()')) return '`true`, `false`';
  const listed = /@IsIn\(\[(.*?)\]\)/.exec(decorators)?.[1];
  if (listed !== undefined) return listed.replaceAll("'", '`');
  const [min, max] = ['Min', 'Max'].map(
    (bound) => new RegExp(`@${bound}\\(([\\d_]+)\\)`).exec(decorators)?.[1],
  );
  if (min !== undefined && max !== undefined) return `${min} to ${max}`.replaceAll('_', '');
  const length = /@MaxLength\((\d+)\)/.exec(decorators)?.[1];
  if (length !== undefined) return `at most ${length} characters`;
  throw new Error(`${name} needs @values in its doc comment.`);
}
