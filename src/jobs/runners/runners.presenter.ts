import { Injectable } from '@nestjs/common';
import {
  type IssuedRunner,
  type IssuedRunnerDto,
  type RunnerDto,
  toRunnerDto,
  toSharedRunnerDto,
} from './runner.dto.js';
import type { Runner } from './runner.entity.js';
import { type RunnerContact, RunnersQueries } from './runners.queries.js';

/** Builds the responses for runners, which need their contacts. */
@Injectable()
export class RunnersPresenter {
  constructor(private readonly queries: RunnersQueries) {}

  async present(runners: readonly Runner[]): Promise<RunnerDto[]> {
    const contacts = await this.queries.contacts(runners.map(({ id }) => id));
    return runners.map((runner) => present(runner, contacts));
  }

  async presentOne(runner: Runner): Promise<RunnerDto> {
    return present(runner, await this.queries.contacts([runner.id]));
  }

  async presentIssued({ runner, secret }: IssuedRunner): Promise<IssuedRunnerDto> {
    return { ...(await this.presentOne(runner)), token: secret };
  }
}

function present(runner: Runner, contacts: ReadonlyMap<string, RunnerContact>): RunnerDto {
  const contact = contacts.get(runner.id);
  return runner.organizationId === null ? toSharedRunnerDto(runner, contact) : toRunnerDto(runner, contact);
}
