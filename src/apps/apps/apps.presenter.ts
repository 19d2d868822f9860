import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { AppPresenter } from '../../organizations/team-assignments/app.presenter.js';
import { type AppDto, toAppDto } from './app.dto.js';
import { App } from './app.entity.js';

/** Presents apps in teams. */
@Injectable()
export class AppsPresenter extends AppPresenter {
  constructor(@InjectRepository(App) private readonly apps: Repository<App>) {
    super();
  }

  override async present(ids: readonly string[]): Promise<ReadonlyMap<string, AppDto>> {
    const apps = await this.apps.findBy({ id: In(ids) });
    return new Map(apps.map((app) => [app.id, toAppDto(app)]));
  }
}
