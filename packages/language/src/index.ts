export { claimOf, contradictionBetween, type Claim, type Contradiction } from './contradictions/conflicts.ts';
export { createTriggerIndex, type TriggerIndex, type TriggerMatch, type Waypoint } from './symptoms/triggers.ts';
