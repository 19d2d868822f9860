import { Module } from '@nestjs/common';
import { SessionsModule } from './sessions.module.js';
import { SessionsPageController } from './sessions-page.controller.js';

@Module({ imports: [SessionsModule], controllers: [SessionsPageController] })
export class SessionsPageModule {}
