import { Injectable } from '@nestjs/common';
import { DefaultEnvironments, type EnvironmentReference } from '../../apps/apps/default-environments.js';
import { NotFoundError } from '../../common/errors/app-error.js';
import { EnvironmentsService } from './environments.service.js';

/** What apps need from environments. */
@Injectable()
export class DefaultEnvironmentsService extends DefaultEnvironments {
  constructor(private readonly environments: EnvironmentsService) {
    super();
  }

  override async find(appId: string, reference: EnvironmentReference): Promise<string | null> {
    try {
      return (await this.environments.resolve(appId, reference)).id;
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }
}
