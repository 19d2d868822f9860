import { table } from './table.ts';

const intro = `# Configuration

You configure Slipway with environment variables, which it reads once at start. Nothing is required: without any variable, Slipway starts its own PostgreSQL and stores everything in \`.slipway\`.

- Values are trimmed. An empty variable counts as unset.
- An invalid value stops the start. Slipway prints one line for each invalid variable.
- Slipway reads no configuration file. To load variables from a file, use Node's \`node --env-file=<file> dist/slipway.js\`.
`;

const outro = `Only the owner can read the files that the embedded default creates in \`DATA_DIR\` (\`encryption-key\`, \`token\`).

[Deployment](deployment.md#configuration) lists the values that production needs.

\`npm run docs:generate\` generates this page from \`src/config\`. To add a variable, add a property with \`@Env('NAME')\` and a doc comment there. \`@default\` describes a default that is no literal, and \`@values\` the values that its decorators do not state.
`;

/** The files that declare variables, in the order of the page. */
export const CONFIG_FILES = [
  'src/config/groups/http-config.ts',
  'src/config/groups/database-config.ts',
  'src/config/groups/queue-config.ts',
  'src/config/groups/storage-config.ts',
  'src/config/groups/s3-config.ts',
  'src/config/groups/retention-config.ts',
  'src/config/groups/security-config.ts',
  'src/config/groups/outbound-config.ts',
  'src/config/groups/mail-config.ts',
  'src/config/groups/license-config.ts',
  'src/config/groups/rate-limit-config.ts',
  'src/config/groups/update-check-config.ts',
  'src/config/groups/job-config.ts',
  'src/config/groups/runner-config.ts',
  'src/config/groups/log-config.ts',
  'src/config/groups/device-config.ts',
  'src/config/groups/sign-in-config.ts',
  'src/config/groups/organization-config.ts',
  'src/config/groups/limit-config.ts',
] as const;

/** A documented property: comment, name, further decorators, initializer. */
const PROPERTY = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*@Env\('(\w+)'\)([^;]*?)\n  \w+: [^=;]*= ([^;]*);/g;

/** The page docs/configuration.md. @param sources the text of `CONFIG_FILES` */
export function renderConfiguration(sources: readonly string[]): string {
  const rows = sources.flatMap((source) =>
    [...source.matchAll(PROPERTY)].map(([, comment = '', name = '', decorators = '', initializer = '']) => {
      const { meaning, tags } = parsed(comment);
      return [
        `\`${name}\``,
        meaning,
        tags.get('default') ?? defaultOf(initializer),
        tags.get('values') ?? valuesOf(name, decorators),
      ];
    }),
  );
  return [intro, table(['Variable', 'Meaning', 'Default', 'Values'], rows), outro].join('\n');
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
