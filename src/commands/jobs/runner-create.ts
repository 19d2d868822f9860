import { isUuid } from '../../common/validation/uuid.js';
import { command, UsageError } from '../command.js';
import { withApplication } from '../with-application.js';

/** `slipway runner:create`: registers a runner of an organization, or one for all. See docs/runners.md. */
export const runnerCreate = command({
  options: {
    name: { type: 'string', value: 'NAME', help: 'for people' },
    organization: {
      type: 'string',
      value: 'ID',
      help: 'the only organization that it serves; otherwise all',
    },
    label: { type: 'string', value: 'LABEL', multiple: true, help: 'a label; may be repeated' },
  },
  details:
    'Prints the token, which is shown only once. A runner without --organization gets the source and the secrets of every\n' +
    'organization, so it refuses to start without a sandbox.',
  run: async ({ name, organization, label }) => {
    const trimmed = name?.trim() ?? '';
    if (trimmed === '' || trimmed.length > 128)
      throw new UsageError('--name must be 1 to 128 characters long.');
    const { BUILT_IN_NAME } = await import('../../jobs/runners/built-in-runner.js');
    if (trimmed === BUILT_IN_NAME) {
      throw new UsageError(`--name "${BUILT_IN_NAME}" is that of the runner which RUNNER=1 starts.`);
    }
    if (organization !== undefined && !isUuid(organization)) {
      throw new UsageError('--organization must be the id of an organization.');
    }
    const labels = [...new Set(label)];
    if (labels.length > 32 || !labels.every((each) => /^[A-Za-z0-9][A-Za-z0-9._:-]{0,62}$/.test(each))) {
      throw new UsageError(
        '--label must consist of 1 to 63 letters, digits and ". _ : -", 32 times at most.',
      );
    }
    const { RunnersService } = await import('../../jobs/runners/runners.service.js');
    await withApplication(async (app) => {
      const runners = app.get(RunnersService, { strict: false });
      const owner = organization?.toLowerCase() ?? null;
      const { runner, secret } = await runners.create(owner, null, { name: trimmed, labels });
      const scope =
        owner === null
          ? 'It serves all organizations and refuses to start without a sandbox.'
          : `It serves the organization ${owner}.`;
      console.error(`Runner ${runner.id} is registered. ${scope} Its token, shown only now:`);
      console.log(secret);
    });
  },
});
