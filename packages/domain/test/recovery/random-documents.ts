import fc from 'fast-check';
import { EMERGENCY_REASONS, RECOVERY_STEPS, SERVICES, type EmergencyDocument, type PendingOutcome, type PendingWrite } from '../../src/index.ts';

const instant = fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }).map((at) => new Date(at).toISOString());
const words = fc.string({ maxLength: 40, unit: 'binary' });
const position = fc.nat(1_000_000);
const refs = fc.array(fc.constantFrom('MSG-1', 'SB-2', 'FRAG-3', 'GOLD-4'), { maxLength: 3 });

export const anyOutcome: fc.Arbitrary<PendingOutcome> = fc.oneof(
  fc.constant({ kind: 'pending' as const }),
  fc.record({
    kind: fc.constant('conflict' as const),
    code: fc.constantFrom('wrong-status', 'unknown-sidebar'),
    message: fc.string({ maxLength: 20, unit: 'grapheme-ascii' }),
  }),
  fc.record({ kind: fc.constant('discarded' as const), by: fc.constant('AGENT-operator'), at: instant }),
  fc.record({ kind: fc.constant('known' as const), position, refs }),
  fc.record({ kind: fc.constant('replayed' as const), position, refs }),
);

/** As the hash of sender and message id is made elsewhere: the nth write always has the same. */
export const uuidOfWrite = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

export const anyWrite = (n: number): fc.Arbitrary<PendingWrite> =>
  fc.record({
    n: fc.constant(n),
    messageId: fc.constant(`message-${n}`),
    uuid: fc.constant(uuidOfWrite(n)),
    sender: fc.record({ id: fc.constantFrom('AGENT-operator', 'AGENT-ada'), type: fc.constantFrom('human', 'agent') }),
    client: fc.constantFrom('api', 'cli'),
    clientVersion: fc.option(fc.constant('1.0'), { nil: null }),
    context: fc.option(fc.constant('SB-1'), { nil: null }),
    command: fc.record({ type: fc.constant('chat.say'), sidebar: fc.constant('SB-1'), content: words, some_key: words, camelKey: fc.nat() }),
    ifSeq: fc.option(position, { nil: null }),
    fingerprint: fc.option(fc.constant('abc'), { nil: null }),
    circumstances: fc.constantFrom({}, { toolsInvoked: ['Bash'] }),
    claims: fc.constantFrom(null, { some_claim: true }),
    queuedAt: instant,
    wouldDo: words,
    outcome: anyOutcome,
  });

const anySnapshot = fc.record({
  sidebarId: fc.constant('SB-1'),
  uuid: fc.constant('id-1'),
  parentContextId: fc.option(words, { nil: null }),
  childSidebarIds: refs,
  forkedFrom: fc.option(words, { nil: null }),
  participants: refs,
  coordinatorAgent: fc.option(words, { nil: null }),
  agentCapabilities: fc.dictionary(
    fc.constantFrom('AGENT-ada', 'AGENT-some_one'),
    fc.record({ specialties: refs, availability: fc.constantFrom('available', 'offline'), currentLoad: fc.nat(5), preferredCollaborators: refs }),
    { noNullPrototype: true },
  ),
  inheritedMemory: fc.option(fc.record({ contextId: words, leafUuid: fc.option(words, { nil: null }), position }), { nil: null }),
  localMemory: fc.record({
    partial: fc.boolean(),
    messages: fc.nat(100),
    items: fc.array(fc.record({ ref: fc.constant('MSG-1'), sender: fc.constant('AGENT-ada'), text: words }), { maxLength: 3 }),
  }),
  dataRefs: fc.dictionary(fc.constantFrom('a_b', 'aB', 'SB-1'), words, { noNullPrototype: true }),
  crossSidebarRefs: refs,
  status: fc.constantFrom('ACTIVE', 'PAUSED'),
  priority: fc.constantFrom('NORMAL', 'HIGH'),
  createdAt: instant,
  lastActivity: instant,
  successCriteria: fc.option(words, { nil: null }),
  failureReason: fc.option(words, { nil: null }),
});

export const anyDocument = (cacheId = 'EC-1', most = 4): fc.Arbitrary<EmergencyDocument> =>
  fc.record({
    format: fc.constant(1 as const),
    cacheId: fc.constant(cacheId),
    createdAt: fc.constant('2026-01-02T14:32:00.000Z'),
    updatedAt: instant,
    reason: fc.constantFrom(...EMERGENCY_REASONS),
    servicesDown: fc.subarray([...SERVICES]),
    boardId: fc.constant('board-1'),
    serverId: fc.constant('home-1'),
    host: fc.constant('here'),
    version: fc.constant('1.0.0'),
    head: fc.record({ position, checksum: fc.constant('ab'.repeat(32)) }),
    lastKnownGoodState: instant,
    sidebarSnapshots: fc.dictionary(fc.constantFrom('SB-1', 'SB-22'), anySnapshot, { noNullPrototype: true }),
    scratchpadStates: fc.dictionary(fc.constantFrom('SB-1', 'SB-22'), fc.record({ findings: fc.array(words), finalSummary: words }), {
      noNullPrototype: true,
    }),
    pendingWrites: fc
      .subarray(Array.from({ length: most }, (_, i) => i + 1))
      .chain((numbers) => fc.tuple(...numbers.map(anyWrite)) as fc.Arbitrary<readonly PendingWrite[]>),
    pendingArchives: fc.subarray([101, 102]).chain((numbers) => fc.tuple(...numbers.map(anyWrite)) as fc.Arbitrary<readonly PendingWrite[]>),
    recoveryNotes: fc.array(words, { maxLength: 2 }),
    suggestedRecoveryOrder: fc.subarray([...RECOVERY_STEPS]),
    resolvedAt: fc.option(instant, { nil: null }),
    resolutionNotes: fc.option(words, { nil: null }),
  });
