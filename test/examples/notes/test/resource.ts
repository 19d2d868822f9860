import type { TestApp } from '../../../builders/app.js';
import { expectCreated } from '../../../support/http/expect-created.js';
import { ofApp } from '../../../support/resources/parents.js';
import type { Resource } from '../../../support/resources/resource.js';
import { uniqueName } from '../../../support/unique-name.js';

export const notes: Resource<TestApp> = {
  parent: ofApp,
  name: 'notes',
  make: async ({ api, path }) =>
    expectCreated<{ id: string }>(await api.post(`${path}/notes`, { title: uniqueName('note') })).id,
  create: () => ({ title: uniqueName('note') }),
  update: { title: 'Release checklist' },
  wrongCreates: [{ body: {}, fields: ['title'] }],
  wrongUpdates: [{ body: { title: null }, fields: ['title'] }],
  uniqueName: 'title',
};
