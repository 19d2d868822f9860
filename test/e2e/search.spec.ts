import { createApp } from '../builders/app.js';
import { publishZip } from '../builders/publication.js';
import { AndroidDevice } from '../support/devices/android.js';

it('finds objects by a part of their id, in either case, and by nothing else', async () => {
  const app = await createApp();
  const { buildId, deploymentId } = await publishZip(app, { 'index.html': '1' });
  const device = new AndroidDevice({ appId: app.id });
  await device.check();
  const lists: [path: string, id: string][] = [
    ['/v1/apps', app.id],
    [`${app.path}/channels`, app.defaultChannelId],
    [`${app.path}/builds`, buildId],
    [`${app.path}/deployments`, deploymentId],
    [`${app.path}/devices`, device.deviceId],
  ];
  for (const [path, id] of lists) {
    for (const text of [id, id.slice(3, 30), id.slice(3, 30).toUpperCase()]) {
      const { status, body } = await app.api.get(`${path}?query=${text}`);
      expect({ path, status, body }).toMatchObject({ path, status: 200, body: [{ id }] });
    }
    for (const text of ['unknown', '%25', '_', '%5C', "'"]) {
      const { status, body } = await app.api.get(`${path}?query=${text}`);
      expect({ path, text, status, body }).toEqual({ path, text, status: 200, body: [] });
    }
  }
});

it('finds builds by their number, and deployments by build and commit', async () => {
  const app = await createApp();
  const first = await publishZip(app, { 'index.html': '1' }, { values: { gitRef: 'main' } });
  const second = await publishZip(app, { 'index.html': '2' }, { values: { gitCommitSha: 'abc123' } });
  const ids = async (path: string): Promise<string[]> => {
    const { body } = await app.api.get(app.path + path);
    return (body as { id: string }[]).map(({ id }) => id);
  };
  expect(await ids('/builds?query=2')).toContain(second.buildId);
  expect(await ids('/builds?numberAsString=1')).toEqual([first.buildId]);
  expect(await ids('/deployments?appGitCommit=main')).toEqual([first.deploymentId]);
  expect(await ids('/deployments?appGitCommit=abc123')).toEqual([second.deploymentId]);
  expect(await ids(`/deployments?appGitCommit=abc123&appBuildId=${first.buildId}`)).toEqual([]);
  expect(await ids('/builds?appGitCommit=abc123')).toEqual([second.buildId]);
});
