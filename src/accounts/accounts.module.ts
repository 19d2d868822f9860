import { Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { PagesModule } from './pages/pages.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { UsersModule } from './users/users.module.js';

@Module({ imports: [AuthModule, PagesModule, SessionsModule, TokensModule, UsersModule] })
export class AccountsModule {}
