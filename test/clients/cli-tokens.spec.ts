import { createApp } from '../builders/app.js';
import { createToken } from '../builders/token.js';
import { Cli } from '../support/processes/cli.js';

/** As in docs/authentication.md. */
const permissions = ['apps:read', 'bundles:write'];

describe('a token of a pipeline', () => {
  it('uploads live updates of its app, and nothing else', async () => {
    const app = await createApp();
    const other = await createApp(app.tenant);
    const { token } = await createToken(app.api, { permissions, appIds: [app.id] });
    const cli = await Cli.create(token);
    await cli.write('www/index.html', '<h1>Shop</h1>');
    const upload = ['apps:liveupdates:upload', '--path', 'www', '--channel', 'default', '--yes', '--app-id'];

    const printed = await cli.json<{ appBuildId: string }>(...upload, app.id);
    expect((await app.api.get(`${app.path}/builds/${printed.appBuildId}`)).status).toBe(200);

    const refused = await cli.run(...upload, other.id);
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout + refused.stderr).toContain('App not found.');
    const deleted = await cli.run('apps:channels:delete', '--app-id', app.id, '--name', 'default', '--yes');
    expect(deleted.exitCode).toBe(1);
    expect(deleted.stdout + deleted.stderr).toContain('The token does not allow channels:write here.');
  });
});
