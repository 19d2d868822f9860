import { HintQueue } from './hint-queue.js';

const channel = { appId: 'a', kind: 'channel', id: 'c' } as const;
const build = { appId: 'a', kind: 'build', id: 'b' } as const;
const taken = (queue: HintQueue, now: number) => queue.take(now).map(({ dto }) => dto);

it('sends the first hint at once, and the next about the same object two seconds later', () => {
  const queue = new HintQueue();
  expect(queue.dueIn(0)).toBe(Infinity);
  queue.add(channel, 'app_channel_paused');
  expect(queue.dueIn(0)).toBe(0);
  expect(taken(queue, 0)).toEqual([channel]);
  queue.add(channel, 'app_channel_resumed');
  queue.add(channel, 'app_channel_paused');
  expect(queue.dueIn(500)).toBe(1500);
  expect(taken(queue, 1999)).toEqual([]);
  expect(taken(queue, 2000)).toEqual([channel]);
  expect(queue.dueIn(2000)).toBe(Infinity);
});

it('does not hold up hints about others', () => {
  const queue = new HintQueue();
  queue.add(channel, 'app_channel_paused');
  queue.take(0);
  queue.add(channel, 'app_channel_resumed');
  queue.add(build, 'app_build_created');
  expect(queue.dueIn(100)).toBe(0);
  expect(taken(queue, 100)).toEqual([build]);
  expect(queue.dueIn(100)).toBe(1900);
});

it('knows all types of events that have caused a hint', () => {
  const queue = new HintQueue();
  queue.add(channel, 'app_channel_paused');
  queue.add(channel, 'app_channel_expired');
  expect(queue.take(0).map(({ types }) => [...types])).toEqual([
    ['app_channel_paused', 'app_channel_expired'],
  ]);
});
