import type { Evolver } from '../board/evolve.ts';
import { link, linkFile } from '../board/links.ts';
import { findingNamed } from '../board/references.ts';
import type { Board } from '../board/state.ts';
import { change, countGold } from '../sidebar/evolve.ts';
import { isAtWork, weakEvidence } from './evidence.ts';
import { MOST_ANSWERABLE, type Gold, type Media } from './state.ts';
import type { CITATION_EVENTS } from '../messages/citations.ts';

type Evolvers<T extends CitationEvents> = { readonly [K in T]: Evolver<K> };

type CitationEvents = keyof typeof CITATION_EVENTS;

const changeMedia = (board: Board, id: string, next: Partial<Media>): void => {
  const media = board.media.get(id);
  if (media !== undefined) board.media.set(id, { ...media, ...next });
};

const changeGold = (board: Board, id: string, next: (gold: Gold) => Partial<Gold>): void => {
  const gold = board.golds.get(id);
  if (gold !== undefined) board.golds.set(id, { ...gold, ...next(gold) });
};

export const citationEvents: Evolvers<CitationEvents> = {
  'citation.created': (board, event) => {
    const [ref = ''] = event.refs;
    const { uuid: id, contextId, position, payload } = event;
    board.citations.set(id, { ...payload, id, ref, contextId, position, createdBy: event.by.id, createdAt: event.at });
    if (ref !== '') board.ids.set(ref, id);
    if (payload.source.kind === 'reference') countGold(board, [payload.source.ref]);
    if (payload.source.kind === 'file' && payload.source.hash !== null) linkFile(board, payload.source.hash);
    change(board, event, ({ citations }) => ({ citations: [...citations, id] }));
  },
  'media.uploaded': (board, event) => {
    const [ref = ''] = event.refs;
    const { uuid: id, contextId, position } = event;
    const { mediaType, filePath, fileSize, inResponseTo } = event.payload;
    board.media.set(id, {
      id,
      ref,
      mediaType,
      filePath,
      fileSize,
      inResponseTo,
      position,
      state: 'pending',
      mime: null,
      sha256: null,
      why: null,
      uploadedDuring: contextId,
      uploadedBy: event.by.id,
      uploadedAt: event.at,
    });
    if (ref !== '') board.ids.set(ref, id);
    change(board, event, ({ media }) => ({ media: [...media, id] }));
  },
  'media.processed': (board, event) => {
    const { media, mime, sha256 } = event.payload;
    changeMedia(board, media, { state: 'complete', mime, sha256 });
    linkFile(board, sha256);
    change(board, event, () => ({}));
  },
  'media.failed': (board, event) => {
    changeMedia(board, event.payload.media, { state: 'failed', why: event.payload.why });
    change(board, event, () => ({}));
  },
  'gold.created': (board, event) => {
    const [ref = ''] = event.refs;
    const { uuid: id, position, payload } = event;
    board.golds.set(id, {
      ...payload,
      id,
      ref,
      position,
      createdBy: event.by.id,
      createdIn: event.contextId,
      createdAt: event.at,
      timesReferenced: 0,
      timesSurfaced: 0,
      shown: [],
      timesUseful: 0,
      timesNotNow: 0,
      notNowInARow: 0,
      status: 'pending',
      validatedBy: null,
      validatedAt: null,
      validationNotes: null,
      isProvisional: true,
      superseded: null,
    });
    if (ref !== '') board.ids.set(ref, id);
    countGold(board, payload.sourceRefs);
    for (const source of payload.sourceRefs) {
      const home = findingNamed(board, source)?.sidebar.id;
      if (home !== undefined) link(board, 'evidence', home, id);
    }
    change(board, event, ({ golds }) => ({ golds: [...golds, id] }));
  },
  'gold.validated': (board, event) => {
    const { gold, status, notes } = event.payload;
    changeGold(board, gold, ({ createdIn, sourceRefs }) => ({
      status,
      validatedBy: event.by.id,
      validatedAt: event.at,
      validationNotes: notes,
      // The place it was found in, or its evidence, may still be active: then the final decision follows when that ends.
      isProvisional: status !== 'confirmed' || isAtWork(board, createdIn) || weakEvidence(board, { sourceRefs }).length > 0,
    }));
    change(board, event, () => ({}));
  },
  'gold.finalised': (board, event) => changeGold(board, event.payload.gold, () => ({ isProvisional: false })),
  'gold.superseded': (board, event) => {
    const { gold, by, why } = event.payload;
    changeGold(board, gold, () => ({ superseded: { by, why }, isProvisional: false }));
  },
  'gold.surfaced': (board, event) => {
    const { gold } = event.payload;
    const { contextId, at } = event;
    changeGold(board, gold, ({ timesSurfaced, shown }) => ({
      timesSurfaced: timesSurfaced + 1,
      shown: [...shown.slice(1 - MOST_ANSWERABLE), { contextId, at, answer: null, answeredBy: null }],
    }));
    link(board, 'surfaced', contextId, gold);
  },
  'gold.answered': (board, event) => {
    const { gold, answer } = event.payload;
    const isUseful = answer === 'useful';
    changeGold(board, gold, ({ shown, timesUseful, timesNotNow, notNowInARow }) => ({
      shown: shown.map((one) => (one.contextId === event.contextId ? { ...one, answer, answeredBy: event.by.id } : one)),
      timesUseful: timesUseful + (isUseful ? 1 : 0),
      timesNotNow: timesNotNow + (isUseful ? 0 : 1),
      notNowInARow: isUseful ? 0 : notNowInARow + 1,
    }));
  },
};
