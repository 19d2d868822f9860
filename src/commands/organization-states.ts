import type { INestApplicationContext } from '@nestjs/common';
import { NotFoundError } from '../common/errors/app-error.js';
import { isUuid } from '../common/validation/uuid.js';
import type { Organization } from '../organizations/organizations/organization.entity.js';
import { OrganizationsService } from '../organizations/organizations/organizations.service.js';
import { command, UsageError } from './command.js';
import { withApplication } from './with-application.js';

const operands = 'ORGANIZATION_ID';
const MAX_REASON = 200;

/** `slipway organization suspend`: see docs/operations.md. */
export const organizationSuspend = command({
  operands,
  options: { reason: { type: 'string', value: 'TEXT', help: 'one line, which its members see' } },
  details:
    'Its members can read, but change nothing. Its builds on runners end as failed; its queued builds, imports and\n' +
    'submissions, its rollout plans, webhooks and emails wait. Devices get their updates and check in.',
  run: async ({ reason }, ids) => {
    const text = parseReason(reason);
    await withOrganization(ids, async (organizations, id) => {
      const before = await organizations.suspend(id, text);
      const isNew = before.suspendedAt === null;
      const ofReason = text === null || isNew ? '' : ` The reason is now: ${text}`;
      console.log(`${nameOf(before)} is suspended${isNew ? '' : ' already'}.${ofReason}`);
    });
  },
});

/** `slipway organization resume` */
export const organizationResume = command({
  operands,
  options: {},
  details: 'What has waited continues within five minutes.',
  run: (_values, ids) =>
    withOrganization(ids, async (organizations, id) => {
      const before = await organizations.resume(id);
      console.log(
        before.suspendedAt === null
          ? `${nameOf(before)} is not suspended.`
          : `${nameOf(before)} is resumed. What has waited continues within five minutes.`,
      );
    }),
});

/** @throws UsageError */
function parseReason(reason: string | undefined): string | null {
  if (reason === undefined) return null;
  const text = reason.trim();
  if (text === '' || text.length > MAX_REASON || /\p{C}/u.test(text)) {
    throw new UsageError(`--reason must be one line of 1 to ${MAX_REASON} characters.`);
  }
  return text;
}

/**
 * Runs `work` with the id of the only operand.
 *
 * @throws UsageError when it is not one id
 * @throws Error when there is no such organization
 */
async function withOrganization(
  [id, ...others]: readonly string[],
  work: (organizations: OrganizationsService, id: string) => Promise<void>,
): Promise<void> {
  if (id === undefined || !isUuid(id) || others.length > 0) {
    throw new UsageError('Name one organization by its id.');
  }
  await withApplication(async (app: INestApplicationContext) => {
    try {
      await work(app.get(OrganizationsService, { strict: false }), id.toLowerCase());
    } catch (error) {
      if (error instanceof NotFoundError)
        throw new Error(`There is no organization ${id}.`, { cause: error });
      throw error;
    }
  });
}

/** Names may have control characters, which a terminal would obey. */
function nameOf({ name, id }: Organization): string {
  return `The organization ${name.replace(/\p{Cc}/gu, ' ')} (${id})`;
}
