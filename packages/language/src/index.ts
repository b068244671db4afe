export { createLanguage, type Language, type LanguageOptions } from './language.ts';
export { createWeigher, type Weigher } from './contradictions/weighing.ts';
export { createTriggerIndex, type TriggerIndex, type TriggerMatch, type Waypoint } from './symptoms/triggers.ts';
export { formsOf, isStopWord } from './questions/word-forms.ts';
export { blend, embed, embedCounting, parseEmbedding, type Embedding } from './embedding/embedding.ts';
export { knowsNoneOf } from './embedding/pieces.ts';
export { shareSaidOf } from './embedding/said.ts';
export { readClaim, readCore, type ReadClaim } from './claims/classify.ts';
export type { Bound, ClaimArguments, Deed, ServiceState } from './claims/shapes.ts';
