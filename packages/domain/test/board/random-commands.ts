import { ARCHIVE_REASONS, PRIORITIES, ROUTINE_TASKS, STATUSES, VERIFICATIONS, type CommandType } from '../../src/index.ts';
import { AGENT_MAKERS, type Maker, type Makers } from './random-agent-commands.ts';
import {
  anyAgent,
  anyAttempt,
  anyExchange,
  anyFinding,
  anyRefs,
  anySidebar,
  anyText,
  anyVerdict,
  chance,
  CLAIMS,
  maybe,
  newSidebar,
  pick,
  type Scene,
} from './random-scene.ts';

const MAKERS: Makers<CommandType> = {
  'sidebar.spawn': {
    weight: 3,
    make: (scene) => ({
      type: 'sidebar.spawn',
      origin: chance(scene, 0.3)
        ? { kind: 'none' }
        : {
            kind: 'session',
            sessionId: pick(scene, scene.sessions, 'session-1'),
            leafUuid: null,
            upTo: chance(scene, 0.3) ? Math.floor(scene.random() * 50) : null,
          },
      ...newSidebar(scene),
    }),
  },
  'sidebar.spawn-child': {
    weight: 4,
    make: (scene) => ({
      type: 'sidebar.spawn-child',
      sidebar: anySidebar(scene),
      upTo: chance(scene, 0.2) ? Math.floor(scene.random() * 100) : null,
      ...maybe(scene, 'isWaiting', true),
      ...newSidebar(scene),
    }),
  },
  'sidebar.fork': {
    weight: 3,
    make: (scene) => ({ type: 'sidebar.fork', sidebar: anySidebar(scene), reason: anyText(scene), ...maybe(scene, 'task', anyText(scene)) }),
  },
  'sidebar.pause': { weight: 2, make: (scene) => ({ type: 'sidebar.pause', sidebar: anySidebar(scene), reason: anyText(scene) }) },
  'sidebar.resume': { weight: 3, make: (scene) => ({ type: 'sidebar.resume', sidebar: anySidebar(scene) }) },
  'sidebar.wait': {
    weight: 2,
    make: (scene) => ({
      type: 'sidebar.wait',
      sidebar: anySidebar(scene),
      waitingFor: anyText(scene),
      dependencies: chance(scene, 0.5) ? [anySidebar(scene)] : [],
      ...maybe(scene, 'timeoutMs', Math.floor(scene.random() * 20)),
    }),
  },
  'sidebar.move': {
    weight: 5,
    make: (scene) => ({
      type: 'sidebar.move',
      sidebar: anySidebar(scene),
      to: pick(scene, STATUSES, 'ACTIVE'),
      ...maybe(scene, 'reason', anyText(scene)),
    }),
  },
  'sidebar.change': {
    weight: 2,
    make: (scene) => ({
      type: 'sidebar.change',
      sidebar: anySidebar(scene),
      ...maybe(scene, 'curator', anyAgent(scene)),
      ...maybe(scene, 'coordinator', anyAgent(scene)),
      ...maybe(scene, 'crossRefs', anyRefs(scene)),
      ...maybe(scene, 'priority', pick(scene, PRIORITIES, 'NORMAL')),
      ...maybe(scene, 'isOpen', chance(scene, 0.5)),
    }),
  },
  'sidebar.escalate': { weight: 2, make: (scene) => ({ type: 'sidebar.escalate', sidebar: anySidebar(scene), reason: anyText(scene) }) },
  'sidebar.test-result': {
    weight: 2,
    make: (scene) => ({
      type: 'sidebar.test-result',
      sidebar: anySidebar(scene),
      description: anyText(scene),
      result: pick(scene, ['pass', 'fail'], 'pass'),
    }),
  },
  'sidebar.consolidate': {
    weight: 6,
    make: (scene) => ({ type: 'sidebar.consolidate', sidebar: anySidebar(scene), ...maybe(scene, 'keyFindings', [anyFinding(scene)]) }),
  },
  'merge.check': {
    weight: 5,
    make: (scene) => ({ type: 'merge.check', sidebar: anySidebar(scene), isFit: chance(scene, 0.8), notes: anyText(scene) }),
  },
  'sidebar.merge': {
    weight: 6,
    make: (scene) => ({
      type: 'sidebar.merge',
      sidebar: anySidebar(scene),
      ...maybe(scene, 'target', { kind: 'session', sessionId: pick(scene, scene.sessions, 'session-1') } as const),
      ...(chance(scene, 0.1) ? { isApproved: false, reason: anyText(scene) } : {}),
    }),
  },
  'automerge.configure': {
    weight: 2,
    make: (scene) => ({
      type: 'automerge.configure',
      isEnabled: chance(scene, 0.8),
      ...maybe(scene, 'allowedTaskTypes', [pick(scene, [...ROUTINE_TASKS, 'debugging'], 'status_check'), 'status_check']),
      ...maybe(scene, 'requiredApprovals', pick(scene, [0, 1, 1, 2], 1)),
      ...maybe(scene, 'requireCuratorApproval', chance(scene, 0.5)),
      ...maybe(scene, 'requireSourcesCited', chance(scene, 0.5)),
      ...maybe(scene, 'allowAgain', ['status_check']),
    }),
  },
  'session.label': {
    weight: 2,
    make: (scene) => ({
      type: 'session.label',
      session: pick(scene, scene.sessions, 'session-1'),
      ...maybe(scene, 'isPinned', chance(scene, 0.5)),
      ...maybe(scene, 'isHidden', chance(scene, 0.5)),
      ...maybe(scene, 'name', chance(scene, 0.3) ? null : anyText(scene)),
      ...maybe(scene, 'note', anyText(scene)),
      ...maybe(scene, 'tags', ['later', 'loom', 'later']),
    }),
  },
  'automerge.report': {
    weight: 1,
    make: (scene) => ({ type: 'automerge.report', sidebar: anySidebar(scene), ref: pick(scene, scene.messages, 'MSG-1'), notes: anyText(scene) }),
  },
  'sidebar.archive': {
    weight: 5,
    make: (scene) => ({
      type: 'sidebar.archive',
      sidebar: anySidebar(scene),
      ...(chance(scene, 0.1) ? { reason: pick(scene, ARCHIVE_REASONS, 'manual') } : {}),
    }),
  },
  'sidebar.finish': { weight: 2, make: (scene) => ({ type: 'sidebar.finish', sidebar: anySidebar(scene) }) },
  'sidebar.reopen': { weight: 1, make: (scene) => ({ type: 'sidebar.reopen', sidebar: anySidebar(scene), reason: anyText(scene) }) },
  'proposal.answer': {
    weight: 3,
    make: (scene) => ({
      type: 'proposal.answer',
      sidebar: anySidebar(scene),
      proposal: `PROPOSAL-${1 + Math.floor(scene.random() * 3)}`,
      isAccepted: chance(scene, 0.5),
    }),
  },
  'chat.say': {
    weight: 8,
    make: (scene) => ({
      type: 'chat.say',
      sidebar: anySidebar(scene),
      content: anyText(scene),
      ...maybe(scene, 'citations', anyRefs(scene)),
      ...maybe(scene, 'inReplyTo', pick(scene, scene.messages, 'MSG-1')),
    }),
  },
  'mention.route': { weight: 1, make: (scene) => ({ type: 'mention.route', targets: [anyAgent(scene)], message: anyText(scene) }) },
  'relevance.score': {
    weight: 3,
    make: (scene) => ({ type: 'relevance.score', sidebar: anySidebar(scene), scores: { [anyExchange(scene)]: pick(scene, [0.1, 0.5, 0.9], 0.5) } }),
  },
  'focus.change': {
    weight: 1,
    make: (scene) => ({
      type: 'focus.change',
      sidebar: anySidebar(scene),
      add: [anyExchange(scene)],
      ...maybe(scene, 'remove', [anyExchange(scene)]),
    }),
  },
  'memory.archive': {
    weight: 1,
    make: (scene) => ({
      type: 'memory.archive',
      refs: [chance(scene, 0.5) ? anyExchange(scene) : `SCRATCH-${1 + Math.floor(scene.random() * 4)}:${anyFinding(scene)}`],
      ...maybe(scene, 'sidebar', anySidebar(scene)),
      ...maybe(scene, 'reason', anyText(scene)),
      ...maybe(scene, 'tags', ['kept']),
    }),
  },
  'memory.finalise': {
    weight: 0.5,
    make: (scene) => ({ type: 'memory.finalise', episodes: [`${anySidebar(scene)}:EPISODE-${1 + Math.floor(scene.random() * 3)}`] }),
  },
  'confidence.set': {
    weight: 0.5,
    make: (scene) => ({ type: 'confidence.set', about: anyExchange(scene), confidence: pick(scene, [0, 0.4, 1, 2], 0.4), reason: anyText(scene) }),
  },
  'claim.verify': {
    weight: 2,
    make: (scene) => ({
      type: 'claim.verify',
      sidebar: anySidebar(scene),
      claim: chance(scene, 0.5) ? anyExchange(scene) : `CLAIM-${1 + Math.floor(scene.random() * 3)}`,
      verification: pick(scene, VERIFICATIONS, 'confirmed'),
      ...maybe(scene, 'confidence', pick(scene, [0, 0.4, 1, 2], 0.4)),
      ...maybe(scene, 'evidence', anyRefs(scene)),
      ...maybe(scene, 'words', 'the cache'),
    }),
  },
  'claim.settle': {
    weight: 1,
    make: (scene) => ({
      type: 'claim.settle',
      sidebar: anySidebar(scene),
      claim: `CLAIM-${1 + Math.floor(scene.random() * 3)}`,
      verification: pick(scene, VERIFICATIONS, 'confirmed'),
      notes: anyText(scene),
    }),
  },
  'claim.validate': {
    weight: 2,
    make: (scene) => ({
      type: 'claim.validate',
      sidebar: anySidebar(scene),
      claim: pick(scene, [anyExchange(scene), `CLAIM-${1 + Math.floor(scene.random() * 3)}`, 'FINDING-1'], 'CLAIM-1'),
      words: 'the cache',
      isAuto: chance(scene, 0.5),
      report: {
        kind: 'file_exists',
        isDenied: chance(scene, 0.3),
        subject: 'cache',
        attempts: [anyAttempt(scene), anyAttempt(scene)],
        files: [],
        duration: 3,
      },
    }),
  },
  'claim.outdate': { weight: 0.5, make: (scene) => ({ type: 'claim.outdate', sidebar: anySidebar(scene), claim: 'CLAIM-1' }) },
  'validation.configure': {
    weight: 0.5,
    make: (scene) => ({ type: 'validation.configure', isOn: chance(scene, 0.7), allowed: chance(scene, 0.7) ? ['file_exists'] : [] }),
  },
  'validation.overrule': {
    weight: 0.5,
    make: (scene) => ({
      type: 'validation.overrule',
      sidebar: anySidebar(scene),
      claim: 'CLAIM-1',
      verification: pick(scene, VERIFICATIONS, 'confirmed'),
      reason: anyText(scene),
    }),
  },
  'finding.submit': {
    weight: 12,
    make: (scene) => ({
      type: 'finding.submit',
      sidebar: anySidebar(scene),
      content: pick(scene, CLAIMS, 'a claim'),
      sourceRefs: anyRefs(scene),
      ...(chance(scene, 0.15) ? { supersedes: anyFinding(scene) } : {}),
    }),
  },
  'finding.validate': {
    weight: 14,
    make: (scene) => ({
      type: 'finding.validate',
      sidebar: anySidebar(scene),
      finding: anyFinding(scene),
      status: anyVerdict(scene),
      notes: anyText(scene),
    }),
  },
  'finding.annotate': {
    weight: 1,
    make: (scene) => ({ type: 'finding.annotate', sidebar: anySidebar(scene), finding: anyFinding(scene), note: anyText(scene) }),
  },
  'conflict.resolve': {
    weight: 2,
    make: (scene) => ({ type: 'conflict.resolve', sidebar: anySidebar(scene), conflict: 'CONFLICT-1', notes: anyText(scene) }),
  },
  'checkpoint.create': { weight: 4, make: (scene) => ({ type: 'checkpoint.create', sidebar: anySidebar(scene), summary: anyText(scene) }) },
  'checkpoint.annotate': {
    weight: 1,
    make: (scene) => ({ type: 'checkpoint.annotate', sidebar: anySidebar(scene), checkpoint: 'CHECKPOINT-1', note: anyText(scene) }),
  },
  'citation.create': {
    weight: 2,
    make: (scene) => ({
      type: 'citation.create',
      sidebar: anySidebar(scene),
      source: chance(scene, 0.5)
        ? { kind: 'external', url: 'https://example.org/', title: anyText(scene) }
        : { kind: 'reference', ref: anyRefs(scene)[0] ?? 'CITE-1' },
    }),
  },
  'media.upload': {
    weight: 1,
    make: (scene) => ({
      type: 'media.upload',
      sidebar: anySidebar(scene),
      mediaType: 'image',
      filePath: 'shot.png',
      content: 'aGk=',
      found: chance(scene, 0.8) ? { size: 2, mime: 'image/png', sha256: 'ab' } : { why: 'no image' },
    }),
  },
  'gold.create': {
    weight: 3,
    make: (scene) => ({
      type: 'gold.create',
      ...(chance(scene, 0.8) ? { sidebar: anySidebar(scene) } : {}),
      sourceRefs: anyRefs(scene),
      keyInsight: anyText(scene),
      reusePattern: anyText(scene),
      triggerConditions: ['times out'],
    }),
  },
  'gold.validate': {
    weight: 4,
    make: (scene) => ({
      type: 'gold.validate',
      gold: `GOLD-${1 + Math.floor(scene.random() * 4)}`,
      status: anyVerdict(scene),
      notes: anyText(scene),
    }),
  },
  'gold.answer': {
    weight: 1,
    make: (scene) => ({
      type: 'gold.answer',
      gold: `GOLD-${1 + Math.floor(scene.random() * 4)}`,
      answer: chance(scene, 0.3) ? 'useful' : 'not_now',
    }),
  },
  'gold.surface': {
    weight: 1,
    make: (scene) => ({
      type: 'gold.surface',
      gold: 'GOLD-1',
      contextId: pick(scene, scene.sessions, 'session-1'),
      score: 1,
      condition: 'times out',
      about: 'MSG-1',
    }),
  },
  ...AGENT_MAKERS,
};

const ALL = Object.values(MAKERS);
const WEIGHT = ALL.reduce((sum, { weight }) => sum + weight, 0);

export const madeBy = ({ random }: Scene): Maker => {
  let left = random() * WEIGHT;
  const found = ALL.find(({ weight }) => (left -= weight) < 0);
  return found?.make ?? MAKERS['chat.say'].make;
};
