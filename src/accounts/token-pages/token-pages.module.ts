import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.js';
import { TokensPageController } from './tokens-page.controller.js';

@Module({ imports: [TokensModule], controllers: [TokensPageController] })
export class TokenPagesModule {}
