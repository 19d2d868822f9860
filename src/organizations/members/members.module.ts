import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Member } from './member.entity.js';
import { MembersController } from './members.controller.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';
import { MembershipController } from './membership.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Member])],
  controllers: [MembersController, MembershipController],
  providers: [MembersService, MembersQueries],
  exports: [MembersService],
})
export class MembersModule {}
