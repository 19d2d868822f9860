import { Injectable } from '@nestjs/common';
import { type IssuedRunner, type IssuedRunnerDto, type RunnerDto, toRunnerDto } from './runner.dto.js';
import type { Runner } from './runner.entity.js';
import { RunnersQueries } from './runners.queries.js';

/** Builds the responses for runners, which need their contacts. */
@Injectable()
export class RunnersPresenter {
  constructor(private readonly queries: RunnersQueries) {}

  async present(runners: readonly Runner[]): Promise<RunnerDto[]> {
    const contacts = await this.queries.contacts(runners.map(({ id }) => id));
    return runners.map((runner) => toRunnerDto(runner, contacts.get(runner.id)));
  }

  async presentOne(runner: Runner): Promise<RunnerDto> {
    return toRunnerDto(runner, (await this.queries.contacts([runner.id])).get(runner.id));
  }

  async presentIssued({ runner, secret }: IssuedRunner): Promise<IssuedRunnerDto> {
    return { ...(await this.presentOne(runner)), token: secret };
  }
}
