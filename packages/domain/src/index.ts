export { err, ok, type Result } from './result.ts';
export { assertNever } from './never.ts';
export { findRefs, formatRef, NUMBERED_TYPES, parseRef, type BadRef, type FoundRef, type NumberedType, type Origin, type Ref } from './refs.ts';
export { hasSecrets, maskJson, maskSecrets, type Masked } from './policies/masking.ts';
export { canonicalOf, CONTENT_TYPES, draftOfDeed, ENTRY_TYPES, isDeed, isTranscript, SENDER_TYPES } from './entry.ts';
export type { ChainedEntry, ContentType, Deed, Draft, Entry, EntryType, SenderType } from './entry.ts';
export { genesisOf, innerHashOf, linkOf } from './chain.ts';
export type { Head, Sha256 } from './chain.ts';
