import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { recordedEvents, type RecordedTestEvent } from '../../support/events/recorded-events.js';

let app: TestApp;
let channel: TestChannel;

beforeEach(async () => {
  app = await createApp();
  channel = await createChannel(app, { name: 'production' });
});

const events = (): Promise<RecordedTestEvent[]> => recordedEvents({ objectId: channel.id });
const act = (action: string) => app.api.post(`${app.path}/channels/${channel.id}/${action}`);

describe('a channel', () => {
  it('has events when it is paused and resumed, once for each', async () => {
    await Promise.all([act('pause'), act('pause'), act('pause')]);
    await act('pause');
    await Promise.all([act('resume'), act('resume')]);
    await act('pause');
    const all = await events();
    expect(all.map(({ type }) => type)).toEqual([
      'app_channel_paused',
      'app_channel_resumed',
      'app_channel_paused',
    ]);
    const envelope = { objectId: channel.id, channelId: channel.id, appId: app.id };
    const data = { appChannelId: channel.id, appChannelName: 'production', expiresAt: null };
    expect(all).toMatchObject([
      { ...envelope, data: { ...data, pausedAt: expect.any(String) as string } },
      { ...envelope, data: { ...data, pausedAt: null } },
      { ...envelope, data },
    ]);
    expect(all[0]?.userId).toBe(app.tenant.owner.userId);
  });

  it('has none when it is not there', async () => {
    const other = await createApp(app.tenant);
    const foreign = await other.api.post(`${other.path}/channels/${channel.id}/pause`);
    expect(foreign.status).toBe(404);
    expect(await events()).toEqual([]);
  });
});
