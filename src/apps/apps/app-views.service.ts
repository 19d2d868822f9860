import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { AppViews } from '../../organizations/teams/app-views.js';
import { type AppDto, toAppDto } from './app.dto.js';
import { App } from './app.entity.js';

/** What teams ask of apps. */
@Injectable()
export class AppViewsService extends AppViews {
  constructor(@InjectRepository(App) private readonly apps: Repository<App>) {
    super();
  }

  override async show(ids: readonly string[]): Promise<ReadonlyMap<string, AppDto>> {
    const apps = await this.apps.findBy({ id: In(ids) });
    return new Map(apps.map((app) => [app.id, toAppDto(app)]));
  }
}
