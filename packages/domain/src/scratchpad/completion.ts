import { SYSTEM } from '../actors.ts';
import { happenIn, named, type Facts } from '../board/deciding.ts';
import { linked } from '../board/links.ts';
import type { Board } from '../board/state.ts';
import { isAtWork, weakEvidence, whyFallen } from '../citations/evidence.ts';
import type { Gold } from '../citations/state.ts';
import { markOfEvidence } from '../claims/marks.ts';
import { stateTtl } from '../claims/validation-history.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { PLAIN_EPISODE, type Episode } from './episodes.ts';
import { scratchpadRefOf, standingFindings, type Finding } from './state.ts';
import type { EpisodeTrigger } from '../messages/values.ts';
import type { Happening } from '../messages/catalogue.ts';

/** The episodes of a sidebar or a waypoint that aren't superseded. */
export const keptOf = (board: Board, owner: string): readonly Episode[] =>
  linked(board, 'episodes', owner)
    .flatMap((id) => board.episodes.get(id) ?? [])
    .filter(({ isSuperseded }) => !isSuperseded);

/** The events that keep a finding, and those for what it supersedes. */
type Kept = { readonly events: readonly Happening[]; readonly supersedes: string | null };

type Keeping = {
  readonly trigger: EpisodeTrigger;
  readonly checkpoint: string | null;
  /** The findings to keep; by default all that stand. */
  readonly only?: readonly string[];
};

/** EPI-1: a confirmed finding is kept before its sidebar is finished, provisionally; a revision replaces what it revises. */
export const archiveFindings = (board: Board, facts: Facts, sidebar: Sidebar, { trigger, checkpoint, only }: Keeping): readonly Kept[] => {
  const before = new Map(keptOf(board, sidebar.id).map((episode) => [episode.finding ?? '', episode.id]));
  const findings = new Map(sidebar.scratchpad.findings.map((finding) => [finding.id, finding]));
  return standingFindings(sidebar.scratchpad)
    .filter(({ id }) => !before.has(id) && only?.includes(id) !== false)
    .map((finding) => {
      const supersedes = keptBefore(finding, findings, before);
      const uuid = facts.newId();
      const archived = happenIn(
        facts,
        sidebar,
        'episodic.archived',
        {
          ...findingKept(board, facts, sidebar, finding),
          trigger,
          sourceCheckpoint: checkpoint,
          isProvisional: trigger === 'checkpoint',
          supersedes,
        },
        { uuid },
      );
      if (supersedes === null) return { events: [archived], supersedes };
      // EPI-2: whoever keeps the older one is notified, not only the readers of the new one.
      const superseded = happenIn(facts, sidebar, 'episodic.superseded', { episode: supersedes, by: uuid, why: 'its finding was revised' });
      return { events: [archived, superseded], supersedes };
    });
};

/** The content of a finding's episode, whatever the trigger. */
export const findingKept = (board: Board, facts: Pick<Facts, 'now'>, sidebar: Sidebar, { id, content, sourceRefs }: Finding) => ({
  ...PLAIN_EPISODE,
  content,
  finding: id,
  sourceSidebar: sidebar.id,
  sources: sourceRefs,
  mark: markOfEvidence(sidebar.claims, sourceRefs, facts.now, stateTtl(board)),
  tags: sidebar.tags,
});

/** EPI-2: the episode of the revised finding; that may have been revised itself before anything was kept. */
const keptBefore = ({ supersedes }: Finding, findings: ReadonlyMap<string, Finding>, kept: ReadonlyMap<string, string>): string | null => {
  const seen = new Set<string>();
  for (let id = supersedes; id !== null && !seen.has(id);) {
    const episode = kept.get(id);
    if (episode !== undefined) return episode;
    seen.add(id);
    id = findings.get(id)?.supersedes ?? null;
  }
  return null;
};

/** EPI-3: the final pass over all episodes of a sidebar, when it is merged or archived: finalised, or superseded with the reason. */
export const complete = (board: Board, asked: Facts, sidebar: Sidebar, summary: string): readonly Happening[] => {
  const facts: Facts = { ...asked, actor: SYSTEM };
  const trigger = asked.isStale === true ? 'timeout' : 'completion';
  const added = archiveFindings(board, facts, sidebar, { trigger, checkpoint: null });
  const replaced = new Set(added.map(({ supersedes }) => supersedes));
  return [
    ...goldsToSettle(board, sidebar).flatMap((gold) => settledGold(board, facts, sidebar, gold)),
    ...keptOf(board, sidebar.id)
      .filter(({ id, gold }) => gold === null && !replaced.has(id))
      .flatMap((episode) => settled(facts, sidebar, episode, whyOver(board, sidebar, episode, facts.now))),
    ...added.flatMap(({ events }) => events),
    keptWhole(board, facts, sidebar, trigger, summary),
  ];
};

/** EPI-6: one episode for the whole sidebar: its summary, and where the rest is. */
const keptWhole = (board: Board, facts: Facts, sidebar: Sidebar, trigger: EpisodeTrigger, summary: string): Happening => {
  const refsOf = (table: Board['citations'] | Board['media'] | Board['golds'], ids: readonly string[]): readonly string[] =>
    ids.map((id) => table.get(id)?.ref ?? '').filter((ref) => ref !== '');
  return happenIn(facts, sidebar, 'episodic.archived', {
    ...PLAIN_EPISODE,
    content: summary,
    trigger,
    sourceSidebar: sidebar.id,
    isProvisional: false,
    about: named(sidebar),
    pointers: {
      from: sidebar.position,
      to: sidebar.lastPosition,
      scratchpad: scratchpadRefOf(named(sidebar)),
      citations: refsOf(board.citations, sidebar.citations),
      media: refsOf(board.media, sidebar.media),
      golds: refsOf(board.golds, sidebar.golds),
    },
    tags: sidebar.tags,
  });
};

/** Its own, and those of elsewhere that lose their evidence here, or were waiting only for this. */
const goldsToSettle = (board: Board, sidebar: Sidebar): readonly Gold[] => {
  const elsewhere = linked(board, 'evidence', sidebar.id).filter((id) => !sidebar.golds.includes(id));
  const golds = (ids: readonly string[]): readonly Gold[] =>
    ids.flatMap((id) => board.golds.get(id) ?? []).filter(({ superseded }) => superseded === null);
  const isDue = (gold: Gold): boolean => whyFallen(board, gold) !== null || (gold.isProvisional && !isAtWork(board, gold.createdIn));
  return [...golds(sidebar.golds), ...golds(elsewhere).filter(isDue)];
};

/**
 * GOLD-4: what was confirmed while its sidebar was active is final when the sidebar is finished; unconfirmed waypoints or evidence stay provisional.
 */
const settledGold = (board: Board, facts: Facts, sidebar: Sidebar, gold: Gold): readonly Happening[] => {
  const why = whyFallen(board, gold);
  const kept = keptOf(board, gold.id);
  if (why !== null) {
    return [
      happenIn(facts, sidebar, 'gold.superseded', { gold: gold.id, by: null, why }),
      ...kept.flatMap((episode) => settled(facts, sidebar, episode, `its GOLD did not hold: ${why}`)),
    ];
  }
  if (gold.status !== 'confirmed' || weakEvidence(board, gold).length > 0) return [];
  return [
    ...(gold.isProvisional ? [happenIn(facts, sidebar, 'gold.finalised', { gold: gold.id })] : []),
    ...kept.flatMap((episode) => settled(facts, sidebar, episode, null)),
  ];
};

/** The final status of an episode: final, or superseded because of something. */
const settled = (facts: Facts, sidebar: Sidebar, { id: episode, isProvisional }: Episode, why: string | null): readonly Happening[] => {
  if (why !== null) return [happenIn(facts, sidebar, 'episodic.superseded', { episode, by: null, why })];
  return isProvisional ? [happenIn(facts, sidebar, 'episodic.finalised', { episode })] : [];
};

const whyOver = (board: Board, { scratchpad, claims }: Sidebar, { finding: id, about, sources }: Episode, now: number): string | null => {
  const finding = scratchpad.findings.find((one) => one.id === id);
  if (finding === undefined) {
    const isWrong = about !== null && markOfEvidence(claims, [about, ...sources], now, stateTtl(board)) === 'contradicted';
    return isWrong ? 'what was said turned out wrong' : null;
  }
  if (finding.supersededBy !== null) return 'its finding was revised';
  if (finding.status === 'rejected') return 'its finding was rejected';
  if (finding.status === 'confirmed') return null;
  return finding.validatedBy === null ? 'its finding was never confirmed' : 'its finding is no longer confirmed';
};
