import { accessErrors } from '../../src/common/errors/catalogue/access-errors.ts';
import { buildConflicts } from '../../src/common/errors/catalogue/build-conflicts.ts';
import { bundleConflicts } from '../../src/common/errors/catalogue/bundle-conflicts.ts';
import type { CataloguedError } from '../../src/common/errors/catalogue/catalogued-error.ts';
import { channelConflicts } from '../../src/common/errors/catalogue/channel-conflicts.ts';
import { conflictErrors } from '../../src/common/errors/catalogue/conflict-errors.ts';
import { jobErrors } from '../../src/common/errors/catalogue/job-errors.ts';
import { limitErrors } from '../../src/common/errors/catalogue/limit-errors.ts';
import { notFoundErrors } from '../../src/common/errors/catalogue/not-found-errors.ts';
import { organizationConflicts } from '../../src/common/errors/catalogue/organization-conflicts.ts';
import { requestErrors } from '../../src/common/errors/catalogue/request-errors.ts';
import { serverErrors } from '../../src/common/errors/catalogue/server-errors.ts';
import { storeConflicts } from '../../src/common/errors/catalogue/store-conflicts.ts';
import { table } from './table.ts';
import { waysOut } from './ways-out.ts';

const intro = `# Errors

Every error has the same body, whatever its cause:

\`\`\`json
{
  "type": "urn:slipway:error:channel_not_found",
  "title": "Not Found",
  "status": 404,
  "detail": "Channel not found.",
  "message": "Channel not found.",
  "code": "channel_not_found",
  "requestId": "0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa"
}
\`\`\`

- \`message\` is one sentence for people. Its wording can change; do not compare it.
- \`code\` is for programs. It is stable.
- \`errors\` lists invalid fields of the request: one \`{ "field", "message" }\` per field.
- \`requestId\` is also in the header \`X-Request-Id\` and in the server's log.
- \`type\`, \`title\`, \`status\` and \`detail\` are the members of [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457).

Errors are never cached (\`Cache-Control: no-store\`). The response to a server error does not contain the cause. The log has it, under the request id.

\`npm run docs:generate\` generates this page from \`src/common/errors/catalogue\`.
`;

type Errors = Readonly<Record<string, CataloguedError>>;

const conflicts: Errors = {
  ...storeConflicts,
  ...limitErrors,
  ...channelConflicts,
  ...buildConflicts,
  ...bundleConflicts,
  ...organizationConflicts,
  ...conflictErrors,
};

/** The page docs/errors.md. */
export function renderErrors(): string {
  return [
    intro,
    '## Invalid requests\n',
    tableOf(requestErrors),
    '## Authentication and authorization\n',
    tableOf(accessErrors),
    'A 401 carries `WWW-Authenticate` ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750)).\n',
    '## Not found\n',
    'An object that does not exist, an object of another organization and an id that is not a UUID look the same.\n',
    tableOf(notFoundErrors),
    '## Conflicts\n',
    tableOf(conflicts),
    '## Jobs and runners\n',
    tableOf(jobErrors),
    '## Limits and server errors\n',
    tableOf(serverErrors),
    '## Ways out with each client\n',
    'Where an error names a setting or another request, this sends it. `–`: the client cannot. Other errors end with the same request and other values, or with time.\n',
    waysOutTable(),
  ].join('\n');
}

function tableOf(errors: Errors): string {
  return table(
    ['Code', 'Status', 'Meaning', 'What to do'],
    Object.entries(errors).map(([code, { status, meaning, action }]) => [
      `\`${code}\``,
      String(status),
      meaning,
      action,
    ]),
  );
}

function waysOutTable(): string {
  return table(
    ['Code', 'Command-line tool', 'SDK', 'HTTP'],
    Object.entries(waysOut).map(([code, { cli, sdk, http }]) => [
      `\`${code}\``,
      cli ?? '–',
      sdk ?? '–',
      http,
    ]),
  );
}
