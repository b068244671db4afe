import { happenIn, type Facts } from '../board/deciding.ts';
import type { Happening } from '../messages/catalogue.ts';
import type { Sidebar } from '../sidebar/state.ts';
import { classOf } from './classes.ts';
import type { ExchangeFact, ExchangeMessage } from './said.ts';
import type { Claim } from './state.ts';

type Noted = { readonly claim: Claim; readonly events: readonly Happening[] };
type Place = Pick<Claim, 'exchange' | 'messages' | 'words' | 'from' | 'type' | 'isVolatile' | 'isFound' | 'saidBy' | 'originalConfidence'>;

/**
 * The claim in question, and what has to be noted of its exchange. Along with the first claim found by the rules, all others of the exchange are
 * noted: only then is it known when all are confirmed. Null if the words aren't there.
 */
export const notedIn = (facts: Facts, sidebar: Sidebar, exchange: string, { messages }: ExchangeFact, words: string | null): Noted | null => {
  const found = foundIn(facts, exchange, messages);
  const wanted =
    words === null ? wholeOf(exchange, messages, found) : (found.find((one) => one.words === words) ?? pointedAt(exchange, messages, words));
  if (wanted === null) return null;
  const isRead = sidebar.claims.some((claim) => claim.exchange === exchange && claim.isFound);
  const fresh = [wanted, ...(isRead ? [] : found.filter((one) => one !== wanted))];
  let number = sidebar.claims.length;
  const events = fresh.map((place) => {
    number += 1;
    const { type, originalConfidence, ...rest } = place;
    return happenIn(facts, sidebar, 'claim.noted', { ...rest, number, kind: type, confidence: originalConfidence });
  });
  const id = events[0]?.uuid ?? '';
  const claim: Claim = {
    ...wanted,
    id,
    number: sidebar.claims.length + 1,
    at: facts.now,
    position: 0,
    judgements: [],
    settlement: null,
    validation: null,
    isReviewed: false,
  };
  return { claim, events };
};

const foundIn = ({ language }: Facts, exchange: string, messages: readonly ExchangeMessage[]): readonly Place[] => {
  const found: Place[] = [];
  let left = MOST_READ;
  for (const message of messages) {
    if (left <= 0 || found.length >= MOST_OF_EXCHANGE) break;
    for (const { from, words, type } of language.claimsIn(message.text.slice(0, left)))
      found.push({ ...placeIn(exchange, message), words, from, type, isVolatile: classOf(type) === 'system_state', isFound: true });
    left -= message.text.length;
  }
  return found.slice(0, MOST_OF_EXCHANGE);
};

/** A judgement of a whole exchange is valid only as long as everything said in it. */
const wholeOf = (exchange: string, messages: readonly ExchangeMessage[], found: readonly Place[]): Place => ({
  exchange,
  messages: refsOf(messages).slice(0, MOST_MESSAGES),
  words: null,
  from: null,
  type: null,
  isVolatile: found.some(({ isVolatile }) => isVolatile),
  isFound: false,
  saidBy: [...new Set(messages.map(({ by }) => by))].slice(0, MOST_MESSAGES),
  originalConfidence: messages.find(({ confidence }) => confidence !== null)?.confidence ?? null,
});

const pointedAt = (exchange: string, messages: readonly ExchangeMessage[], words: string): Place | null => {
  const message = words === '' ? undefined : messages.find(({ text }) => text.includes(words));
  if (message === undefined) return null;
  return { ...placeIn(exchange, message), words, from: message.text.indexOf(words), type: null, isVolatile: false, isFound: false };
};

const placeIn = (exchange: string, message: ExchangeMessage) => ({
  exchange,
  messages: refsOf([message]),
  saidBy: [message.by],
  originalConfidence: message.confidence,
});

const refsOf = (messages: readonly ExchangeMessage[]): readonly string[] => messages.flatMap(({ ref }) => ref ?? []);

/** Of a longer exchange, only the beginning is read: judging one must not keep everyone else waiting. */
const MOST_READ = 50_000;
const MOST_OF_EXCHANGE = 10;
const MOST_MESSAGES = 200;
