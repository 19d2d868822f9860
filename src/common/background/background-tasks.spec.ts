import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { BackgroundTask } from './background-task.js';
import { BackgroundTasks } from './background-tasks.js';

let events: string[];
let failing: 'start' | 'stop' | null;

@Injectable()
class First extends BackgroundTask {
  override start = async () => void events.push('start first');
  override stop = async () => void events.push('stop first');
}

@Injectable()
class Second extends BackgroundTask {
  override start = async () => {
    events.push('start second');
    if (failing === 'start') throw new Error('The port is in use.');
  };
  override stop = async () => {
    events.push('stop second');
    if (failing === 'stop') throw new Error('The database is away.');
  };
}

@Injectable()
class Third extends First {
  override start = async () => void events.push('start third');
  override stop = async () => void events.push('stop third');
}

@Module({ providers: [First, { provide: 'alias', useExisting: First }] })
class FirstModule {}

@Module({ imports: [DiscoveryModule, FirstModule], providers: [Second, Third, BackgroundTasks] })
class RootModule {}

const create = (): Promise<TestingModule> => Test.createTestingModule({ imports: [RootModule] }).compile();

beforeEach(() => {
  events = [];
  failing = null;
});

it('starts every task once and stops them in reverse', async () => {
  const module = await create();
  await module.get(BackgroundTasks).start();
  const started = [...events];
  await module.close();
  expect(started).toHaveLength(3);
  expect(new Set(started)).toEqual(new Set(['start first', 'start second', 'start third']));
  expect(events.slice(3)).toEqual(started.toReversed().map((event) => event.replace('start', 'stop')));
});

it('stops the other tasks when one fails to stop', async () => {
  failing = 'stop';
  const module = await create();
  module.useLogger(false);
  await module.get(BackgroundTasks).start();
  await module.close();
  expect(events.filter((event) => event.startsWith('stop'))).toHaveLength(3);
});

it('starts and stops none in a command', async () => {
  const module = await create();
  await module.init();
  await module.close();
  expect(events).toEqual([]);
});

it('stops only what was started when a task fails to start', async () => {
  failing = 'start';
  const module = await create();
  await expect(module.get(BackgroundTasks).start()).rejects.toThrow('The port is in use.');
  await module.close();
  const begun = events.filter((event) => event.startsWith('start'));
  expect(events.slice(begun.length)).toEqual(
    begun.toReversed().map((event) => event.replace('start', 'stop')),
  );
  expect(begun.at(-1)).toBe('start second');
});
