import type { AppStoreConnectApi } from './app-store-connect-api.js';
import { toBetaGroup, toBetaLocalization } from './responses/apple-mappers.js';
import type { BetaGroup, BetaLocalization, BuildBetaDetail } from './responses/apple-resources.js';

/** The calls about TestFlight: see `AppStoreConnectClient`. */
export class TestFlightCalls {
  constructor(protected readonly api: AppStoreConnectApi) {}

  /** The groups of an app. @param name compared exactly; absent: all groups */
  async betaGroups(appId: string, name?: string): Promise<BetaGroup[]> {
    const query = { 'filter[app]': appId, 'fields[betaGroups]': 'name,isInternalGroup,hasAccessToAllBuilds' };
    const { data } = await this.api.list({ call: 'read', path: ['v1', 'betaGroups'], query });
    // A list that changes while it is read can have one on two pages.
    const groups = new Map(data.map(toBetaGroup).map((group) => [group.id, group]));
    return [...groups.values()].filter((group) => name === undefined || group.name === name);
  }

  /** Where a build is in TestFlight. */
  async buildBetaDetail(buildId: string): Promise<BuildBetaDetail> {
    const path = ['v1', 'builds', buildId, 'buildBetaDetail'];
    const query = { 'fields[buildBetaDetails]': 'internalBuildState,externalBuildState' };
    const { data } = await this.api.one({ call: 'build', method: 'GET', path, query });
    return {
      internalState: data.get('attributes', 'internalBuildState').text,
      externalState: data.get('attributes', 'externalBuildState').text,
    };
  }

  /** Answers whether a build uses encryption that is not exempt. It can be answered once. */
  async answerCompliance(buildId: string, usesNonExemptEncryption: boolean): Promise<void> {
    const data = { type: 'builds', id: buildId, attributes: { usesNonExemptEncryption } };
    await this.api.send({ call: 'compliance', method: 'PATCH', path: ['v1', 'builds', buildId], data });
  }

  /** The notes of a build for testers. */
  async betaLocalizations(buildId: string): Promise<BetaLocalization[]> {
    const path = ['v1', 'builds', buildId, 'betaBuildLocalizations'];
    const query = { 'fields[betaBuildLocalizations]': 'locale,whatsNew' };
    return (await this.api.list({ call: 'read', path, query })).data.map(toBetaLocalization);
  }

  /** The locales in which the app has Test Information. */
  async appLocales(appId: string): Promise<string[]> {
    const path = ['v1', 'apps', appId, 'betaAppLocalizations'];
    const query = { 'fields[betaAppLocalizations]': 'locale' };
    const { data } = await this.api.list({ call: 'read', path, query });
    return data.flatMap((item) => item.get('attributes', 'locale').exactText ?? []);
  }

  async createBetaLocalization(buildId: string, locale: string, text: string): Promise<void> {
    const data = {
      type: 'betaBuildLocalizations',
      attributes: { locale, whatsNew: text },
      relationships: { build: { data: { type: 'builds', id: buildId } } },
    };
    await this.api.send({ call: 'notes', method: 'POST', path: ['v1', 'betaBuildLocalizations'], data });
  }

  async updateBetaLocalization(id: string, text: string): Promise<void> {
    const data = { type: 'betaBuildLocalizations', id, attributes: { whatsNew: text } };
    await this.api.send({ call: 'notes', method: 'PATCH', path: ['v1', 'betaBuildLocalizations', id], data });
  }

  /** Sends a build to Apple's beta review, which external groups need. */
  async submitForBetaReview(buildId: string): Promise<void> {
    const data = {
      type: 'betaAppReviewSubmissions',
      relationships: { build: { data: { type: 'builds', id: buildId } } },
    };
    const path = ['v1', 'betaAppReviewSubmissions'];
    await this.api.send({ call: 'beta-review', method: 'POST', path, data });
  }

  /** `WAITING_FOR_REVIEW`, `IN_REVIEW`, `REJECTED` or `APPROVED`, whatever Apple says; `null`: not submitted. */
  async betaReviewState(buildId: string): Promise<string | null> {
    const query = { 'filter[build]': buildId, 'fields[betaAppReviewSubmissions]': 'betaReviewState' };
    const path = ['v1', 'betaAppReviewSubmissions'];
    const { data } = await this.api.list({ call: 'read', path, query }, 1);
    return data[0]?.get('attributes', 'betaReviewState').text ?? null;
  }

  async addToGroup(groupId: string, buildId: string): Promise<void> {
    const path = ['v1', 'betaGroups', groupId, 'relationships', 'builds'];
    await this.api.send({ call: 'group', method: 'POST', path, data: [{ type: 'builds', id: buildId }] });
  }
}
