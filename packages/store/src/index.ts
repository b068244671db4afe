export { openServers, openStore } from './open.ts';
export type { ServerLease, ServerRow, ServersPort, ServersSeen } from './servers.ts';
export { AUDITED_PARTS, type Audit, type AuditedPart, type Damage } from './audit.ts';
export { sha256, uuidFor } from './hash.ts';
export { contextIdOf, contextOf, draftOfCompanion, draftOfLine, INLINE, NOWHERE, type Context } from './library/draft.ts';
export type { MediaPort, StoredMedia, SweptMedia } from './media.ts';
export { StoreFault } from './port.ts';
export type {
  Appended,
  AppendFault,
  Batch,
  FileMark,
  Item,
  LoggedLine,
  LogPort,
  Store,
  StoreCapabilities,
  StoreOptions,
  WriteOutcome,
} from './port.ts';
export { openRedis, redisName, type Redis, type RedisState } from './redis/connection.ts';
export { roomAt } from './sqlite/disk.ts';
export { lockFile, type FileLock } from './sqlite/lock.ts';
export { sqliteFault } from './sqlite/module.ts';
export { openForeign, type ForeignDatabase } from './sqlite/foreign.ts';
export { forgottenIn, verifyRange, type Broken, type RangeVerdict } from './verify.ts';
export { agentMetaIn } from './library/kinds.ts';
export { absolutePath } from './library/touches.ts';
export { ghostRecordOf, lineOf, recordOf, readingOf } from './library/reading.ts';
export type {
  AgentRow,
  DailySpendingRow,
  HourlySpendingRow,
  Integrity,
  IntegrityFinding,
  LibraryPort,
  MessageQuery,
  Operation,
  ProjectRow,
  SessionQuery,
  SessionRow,
  SpendingFilter,
  SpendingKey,
  SpendingRow,
  ToolUseRow,
} from './library/port.ts';
export { IN_TOOL } from './library/rows.ts';
export type { AgentCallRow, InTool, MessageRow, OperationRow, ResponseRow, Spent, TouchRow } from './library/rows.ts';
export {
  MeaningFault,
  type Coverage,
  type SearchAnswer,
  type SearchFilters,
  type SearchHit,
  type SearchPort,
  type SearchQuery,
} from './search/port.ts';
export { createEmbedding } from './search/meaning/embedding-file.ts';
export type { Embedder, ModelCard } from './search/meaning/embedder.ts';
export { proseOf } from './search/meaning/prose.ts';
export { distance } from './search/spelling.ts';
export { wordsOf as searchWordsOf } from './search/words.ts';
export { curveOf, type Judged } from './search/meaning/calibrate.ts';
export { similarityOf, type Curve } from './search/meaning/similarity.ts';
export { parseQuery } from './search/query.ts';
export { createSnipper, type Snippet } from './search/snippet.ts';
export { maskedText } from './masked-text.ts';
export { sourceTextOf, wholeTextOf } from './search/source.ts';
export type {
  Copy as EmergencyCopy,
  Doubtful,
  EmergencyCache,
  EmergencyPlace,
  Found as FoundEmergencies,
  FoundEverywhere as FoundEmergenciesEverywhere,
  Kept as KeptEmergency,
  PlaceState,
} from './emergency/port.ts';
export { createEmergencyCache, type CacheOptions } from './emergency/cache.ts';
export { folderPlace, type FolderOptions } from './emergency/folder.ts';
export { tablesPlace } from './emergency/tables.ts';
export { redisPlace } from './emergency/broadcast.ts';
