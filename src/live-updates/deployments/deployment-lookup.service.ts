import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { Deployment } from './deployment.entity.js';

/** Reads deployments for channels, which deployments build on. */
@Injectable()
export class DeploymentLookup {
  constructor(@InjectRepository(Deployment) private readonly deployments: Repository<Deployment>) {}

  /** Those that exist, by id. */
  async byId(ids: readonly string[]): Promise<Map<string, Deployment>> {
    const found = await this.deployments.findBy({ id: In(ids) });
    return new Map(found.map((deployment) => [deployment.id, deployment]));
  }
}
