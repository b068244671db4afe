import * as z from 'zod';
import { event, forAgents, type WhileAway } from './definition.ts';
import { because, doer, nameOf, nobody, teamOf, toTeam, type Concerned, type Surroundings, type Telling } from './telling.ts';
import { ACCEPTS, maybe, presence, text, texts } from './values.ts';

/** SEC-15: events say that there is a token, and nothing that would identify it. */
export const UNTOLD_HASH = '';

const kind = z.enum(['agent', 'human']);
const joined = { agent: text, recruitedBy: text };
const answered = { request: text.exactOptional() };
const changeable = {
  agent: text,
  specialties: texts.exactOptional(),
  preferredCollaborators: texts.exactOptional(),
  tokenHash: text.exactOptional(),
};

/** What somebody was responsible for in a sidebar: pending findings, by their ids, and duties. */
const fallen = { sidebarId: text, findings: texts, coordinates: z.boolean(), curates: z.boolean() };

/** Who has a token, who is present, who takes part. */
export const AGENT_EVENTS = {
  'agent.registered': event(
    z.strictObject({
      agent: text,
      kind,
      specialties: texts,
      preferredCollaborators: texts,
      /** SHA-256 of its token, in hexadecimal; the token itself is stored nowhere. */
      tokenHash: text,
    }),
  )({
    tells: nobody,
    told: (payload) => ({ ...payload, tokenHash: UNTOLD_HASH }),
  }),
  'agent.changed': event(z.strictObject({ ...changeable, accepts: z.enum(ACCEPTS).exactOptional() }))({
    version: 2,
    upcasts: { 1: { payload: z.strictObject(changeable), next: (payload: object) => payload } },
    tells: nobody,
    told: (payload) => (payload.tokenHash === undefined ? payload : { ...payload, tokenHash: UNTOLD_HASH }),
  }),
  'agent.retired': event(z.strictObject({ agent: text, reason: maybe }))({
    stirs: true,
    tells: ({ agent, reason }, { workOf }) =>
      workOf(agent).map((sidebar) => ({
        to: teamOf(sidebar).filter((one) => one !== agent),
        level: 'warning',
        kind: 'retired',
        text: `${agent}, who takes part in ${nameOf(sidebar)}, was retired${because(reason)}`,
        refs: [nameOf(sidebar)],
      })),
  }),
  'agent.presence': event(z.strictObject({ agent: text, status: presence, currentContext: maybe }))({
    stirs: true,
    // LOAD-13: those who recruited an absent agent are notified when it appears.
    tells: ({ agent }, { awaitedBy }) =>
      awaitedBy(agent).map(({ by, sidebar }) => ({
        to: [by],
        level: 'info',
        kind: 'request',
        text: `${agent}, whom you recruited into ${nameOf(sidebar)}, is here now`,
        refs: [nameOf(sidebar)],
      })),
  }),
  /** CRASH-1: it vanished without notice and didn't come back; its duties pass to the coordinator. */
  'agent.crashed': event(
    z.strictObject({
      agent: text,
      /** When it was last present. */
      since: z.number(),
      sidebars: z.array(
        z.strictObject({
          ...fallen,
          sidebar: text,
          /** Who is responsible for it in the meantime. */
          owner: text,
          refs: texts,
        }),
      ),
      /** MSG-n; null if it never said anything there. */
      lastWords: maybe,
    }),
  )({
    stirs: true,
    tells: ({ agent, sidebars, lastWords }) =>
      [...new Set(sidebars.map(({ owner }) => owner))].map((owner) => {
        const own = sidebars.filter((one) => one.owner === owner);
        const pending = own.flatMap(({ refs }) => refs);
        const places = own.map(({ sidebar }) => sidebar);
        const waits =
          pending.length === 0
            ? 'none of its findings wait for review'
            : `${pending.join(', ')} ${pending.length === 1 ? 'waits' : 'wait'} for review`;
        return {
          to: [owner],
          level: 'warning',
          kind: 'left',
          text: `${agent} disappeared from ${places.join(', ')} without a word: ${waits}${lastWords === null ? '' : `, its last words are ${lastWords}`}`,
          refs: [...places, ...pending, ...(lastWords === null ? [] : [lastWords])],
        } as const;
      }),
  }),
  /** CRASH-3: it is back, and regains what nobody has touched since. */
  'agent.returned': event(z.strictObject({ agent: text, sidebars: z.array(z.strictObject(fallen)) }))({ stirs: true, tells: nobody }),
  /** `note` and `capability` are those of a recruitment that was request and answer in one; otherwise they are in its request. */
  'agent.joined': event(z.strictObject({ ...joined, ...answered, note: text.exactOptional(), capability: text.exactOptional() }))({
    version: 3,
    upcasts: {
      // A recruitment was always request and answer in one.
      1: { payload: z.strictObject(joined), next: (payload: object) => payload },
      // It kept neither note nor capability.
      2: { payload: z.strictObject({ ...joined, ...answered }), next: (payload: object) => payload },
    },
    words: ['note'],
    stirs: true,
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, recruitedBy, request, note }, around) => [
      ...(agent === recruitedBy
        ? []
        : [
            {
              to: [agent],
              level: 'info',
              kind: 'recruited',
              text: `${recruitedBy} asks you to take part in ${nameOf(around.sidebar)}${because(note ?? around.noteOf(request ?? ''))}${firstAct(around.sidebar)}`,
            } as const,
          ]),
      {
        to: teamOf(around.sidebar).filter((one) => one !== agent),
        level: 'info',
        kind: 'joined',
        text: `${agent} joined ${nameOf(around.sidebar)}`,
      },
    ],
  }),
  'agent.left': event(z.strictObject({ agent: text, reason: maybe }))({
    stirs: true,
    concerns: ({ agent }) => forAgents(agent),
    tells: ({ agent, reason }, around) => [
      { to: [agent], level: 'warning', kind: 'left', text: `${doer(around)} took you out of ${nameOf(around.sidebar)}${because(reason)}` },
      // NOTE-2: whoever inherits a role needs to know more than that somebody left, and gets one notice with both.
      ...inherited(agent, reason, around),
      ...toTeam(around, 'info', 'left', `${agent} left ${nameOf(around.sidebar)}${because(reason)}`),
    ],
  }),
  'inbox.read': event(z.strictObject({ agent: text, upTo: z.number() }))({ tells: nobody }),
} as const;

/** MEM-12: a newcomer to a sidebar with a history starts by judging it; open requests are in the inbox. */
const firstAct = (sidebar: Concerned | null): string =>
  sidebar === null || sidebar.parent === null ? '' : '. Begin by scoring how relevant what it inherited is to its task';

/** AGT-8: the duties of a departed member fall to somebody else. */
const inherited = (gone: string, reason: string | null, { before, sidebar }: Surroundings): readonly Telling[] => {
  if (before === null || sidebar === null) return [];
  const heir = before.coordinator === gone ? sidebar.coordinator : before.curator === gone ? sidebar.curator : null;
  if (heir === null) return [];
  const roles = [before.coordinator === gone ? 'coordinate' : null, before.curator === gone ? 'curate' : null].filter((role) => role !== null);
  return [
    { to: [heir], level: 'warning', kind: 'role', text: `you ${roles.join(' and ')} ${nameOf(sidebar)} now, since ${gone} left${because(reason)}` },
  ];
};

export const AGENT_COMMANDS = {
  'agent.register': z.strictObject({
    agent: text,
    kind,
    specialties: texts,
    preferredCollaborators: texts,
    tokenHash: text,
    /** RT-72: what makes it act from the start. */
    runtime: text.optional(),
    model: text.optional(),
  }),
  'agent.change': z.strictObject({
    agent: text,
    specialties: texts.optional(),
    preferredCollaborators: texts.optional(),
    tokenHash: text.optional(),
    accepts: z.enum(ACCEPTS).optional(),
  }),
  'agent.retire': z.strictObject({ agent: text, reason: text.optional() }),
  'agent.presence': z.strictObject({ agent: text, status: presence, currentContext: text.optional() }),
  /** Provided by the server, which knows the log. */
  'agent.crash': z.strictObject({ agent: text, lastWords: text.optional() }),
  /** By name, or by capability. */
  'agent.recruit': z.strictObject({
    sidebar: text,
    agent: text.optional(),
    capability: text.optional(),
    reason: text.optional(),
    /** False: don't wait for a seat. */
    queue: z.boolean().optional(),
    /** It volunteered, and isn't asked again. */
    isVolunteer: z.boolean().optional(),
  }),
  'agent.leave': z.strictObject({ sidebar: text, agent: text, reason: text.optional() }),
  'inbox.read': z.strictObject({ upTo: z.number() }),
} as const;

/** REC-54: what happens to these commands while the log can't be written. */
export const AGENT_WHILE_AWAY = {
  'agent.register': 'blocked',
  'agent.change': 'queued',
  'agent.retire': 'queued',
  'agent.presence': 'queued',
  // Reported when the log is back: then it still shows who is missing.
  'agent.crash': 'blocked',
  'agent.recruit': 'blocked',
  'agent.leave': 'queued',
  'inbox.read': 'queued',
} as const satisfies Readonly<Record<keyof typeof AGENT_COMMANDS, WhileAway>>;

/** REC-55: events that must wait for the log, whichever command causes them. */
export const AGENT_MUST_WAIT = {
  'agent.registered': () => true,
  'agent.joined': () => true,
  // It issues a token.
  'agent.changed': ({ tokenHash }: { readonly tokenHash?: string | undefined }) => tokenHash !== undefined,
};
