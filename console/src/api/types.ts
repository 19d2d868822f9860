import type { components } from './schema';

type Schemas = components['schemas'];

export type Build = Schemas['BuildDto'];
export type Channel = Schemas['ChannelDto'];
export type Device = Schemas['DeviceDto'];
export type Decision = Schemas['DecisionDto'];
export type Goal = Schemas['GoalDto'];
export type Remedy = Schemas['RemedyDto'];
export type Deployment = Schemas['DeploymentDto'];
export type Simulation = Schemas['SimulationDto'];
export type SimulatedChange = Schemas['CreateSimulationDto'];
export type RolloutPlan = Schemas['RolloutPlanDto'];
export type SlipwayEvent = Schemas['EventDto'];
export type NewPlan = Schemas['PutRolloutPlanDto'];
export type NewBuild = Schemas['CreateBuildDto'];
export type NewShare = Schemas['CreateBuildShareDto'];
export type BuildArtifact = Schemas['BuildArtifactDto'];
export type BuildShare = Schemas['BuildShareDto'];
