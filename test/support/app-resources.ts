import type { Api } from './api.js';

/** One resource below an app, for the tests that every resource must pass. */
export interface AppResource {
  /** As in the path: `/v1/apps/{appId}/<name>`. */
  readonly name: string;
  /** Singular, as in "Channel not found." */
  readonly what: string;
  /** A body that creates one; different for every call. Absent when the API cannot create it. */
  readonly create?: (api: Api, appPath: string) => Promise<object>;
  /** A body that changes one. */
  readonly update?: object;
  readonly canList: boolean;
  readonly canGet: boolean;
  readonly canDelete: boolean;
}

let count = 0;
/** A name that no other test uses. */
export const uniqueName = (prefix: string): string =>
  `${prefix}-${++count}-${Math.random().toString(36).slice(2, 8)}`;

/** Every resource below an app. A new resource gets its standard tests by an entry here. */
export const appResources: readonly AppResource[] = [
  {
    name: 'channels',
    what: 'Channel',
    create: async () => ({ name: uniqueName('channel') }),
    update: { protected: true },
    canList: true,
    canGet: true,
    canDelete: true,
  },
];
